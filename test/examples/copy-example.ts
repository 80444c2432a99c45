import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

/** What somebody may have made by trying an example. */
const made = ['node_modules', 'generated', 'dist', '.next', '.oncehook', 'package-lock.json', 'next-env.d.ts']

/** Copies an example as it is in version control. */
export function copyExample(name: string, folder: string): void {
  mkdirSync(dirname(folder), { recursive: true })
  cpSync(join(root, 'examples', name), folder, {
    recursive: true,
    filter: (source) => !made.includes(basename(source)),
  })
}

/** Lets the project in that folder depend on a packed Oncehook. */
export function dependOn(tarball: string, folder: string): void {
  const file = join(folder, 'package.json')
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as { dependencies?: Record<string, string> }
  manifest.dependencies = { ...manifest.dependencies, oncehook: `file:${tarball}` }
  writeFileSync(file, JSON.stringify(manifest, undefined, 2))
}
