import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const requireHere = createRequire(new URL('package.json', import.meta.url))

/** A library by its name, as an application would require it; the caller names the part that it uses. */
export function requireLibrary(name: string): unknown {
  return requireHere(name)
}

/** A copy of a library that shares nothing with the copies before, such as a cache of keys. */
export function requireFresh(name: string): unknown {
  delete requireHere.cache[requireHere.resolve(name)]
  return requireHere(name)
}

/** A library that can only be imported. */
export async function importLibrary(name: string): Promise<unknown> {
  return import(name)
}

/** The exact versions that are compared with. */
export function libraryVersions(): Readonly<Record<string, string>> {
  const { dependencies } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as {
    dependencies: Readonly<Record<string, string>>
  }
  return dependencies
}
