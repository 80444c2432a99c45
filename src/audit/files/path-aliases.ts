import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

type Settings = {
  readonly compilerOptions?: { readonly baseUrl?: string; readonly paths?: Readonly<Record<string, readonly string[]>> }
}

/** Where names such as `@/lib/db` lead, by the `paths` of the project's tsconfig.json or jsconfig.json. */
export function readPathAliases(root: string): (specifier: string) => readonly string[] {
  const found = ['tsconfig.json', 'tsconfig.base.json', 'jsconfig.json']
    .map((name) => join(root, name))
    .filter((file) => existsSync(file))
    .map((file) => ({ folder: root, settings: readSettings(file) }))
  const aliases = found.flatMap(({ folder, settings }) => {
    const base = resolve(folder, settings?.compilerOptions?.baseUrl ?? '.')
    const paths = Object.entries(settings?.compilerOptions?.paths ?? {})
    const fromBase = settings?.compilerOptions?.baseUrl === undefined ? [] : [['*', ['*']] as const]
    return [...paths, ...fromBase].map(([pattern, targets]) => ({ pattern, targets, base }))
  })
  return (specifier) =>
    aliases.flatMap(({ pattern, targets, base }) => {
      const rest = matched(pattern, specifier)
      return rest === undefined ? [] : targets.map((target) => resolve(base, target.replace('*', rest)))
    })
}

/** What the star stands for. */
function matched(pattern: string, specifier: string): string | undefined {
  const [start = '', end] = pattern.split('*', 2)
  if (end === undefined) return specifier === pattern ? '' : undefined
  const fits = specifier.startsWith(start) && specifier.endsWith(end) && specifier.length >= start.length + end.length
  return fits ? specifier.slice(start.length, specifier.length - end.length) : undefined
}

/** JSON with comments and commas at the end. What cannot be read has no aliases. */
function readSettings(file: string): Settings | undefined {
  try {
    const text = readFileSync(file, 'utf8')
    const plain = text
      .replaceAll(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, '$1')
      .replaceAll(/,(?=\s*[}\]])/g, '')
    return JSON.parse(plain) as Settings
  } catch {
    return undefined
  }
}
