import { basename, relative } from 'node:path'

/** How to call this program again from the same directory, as a person would type it. */
export function programName(script: string, directory: string): string {
  const path = script.replaceAll('\\', '/')
  if (path.includes('/node_modules/')) return 'npx oncehook'
  if (basename(path).replace(/\.cmd$/, '') === 'oncehook') return 'oncehook'
  const way = relative(directory, script)
  return `node ${way.includes(' ') ? JSON.stringify(way) : way}`
}
