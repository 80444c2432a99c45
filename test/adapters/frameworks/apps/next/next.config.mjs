import { fileURLToPath } from 'node:url'

export default {
  serverExternalPackages: ['oncehook', 'pg'],
  turbopack: { root: fileURLToPath(new URL('../..', import.meta.url)) },
}
