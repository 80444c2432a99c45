import type { NextConfig } from 'next'

export default { serverExternalPackages: ['oncehook', 'pg'] } satisfies NextConfig
