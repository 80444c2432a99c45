import { readFile } from 'node:fs/promises'
import type { LoadHook, ResolveHook } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { MessagePort } from 'node:worker_threads'
import { type Compiler, compileWith } from './compiler.ts'

// Hooks for `node:module`'s `register`, which runs this file in a thread of its own. A module that is imported with `?oncehook=<number>`, and
// every file of the project that it imports, is loaded anew for each number. Packages are not: of those there must be one of each.

export type HookData = {
  /** Told the path of every file that is loaded. */
  readonly port: MessagePort
  readonly compiler: Compiler | undefined
}

let data: HookData | undefined

export function initialize(given: HookData): void {
  data = given
}

export const resolve: ResolveHook = async (specifier, context, nextResolve) => {
  const generation = generationOf(specifier) ?? generationOf(context.parentURL)
  if (generation === undefined) return nextResolve(specifier, context)
  const found = await resolveAsTypeScript(specifier, async (name) => nextResolve(name, context))
  return isOfProject(found.url) ? { ...found, url: withGeneration(found.url, generation) } : found
}

/** As TypeScript has it: `./handlers.js` names what `./handlers.ts` will be. */
async function resolveAsTypeScript<Found>(specifier: string, find: (name: string) => Promise<Found>): Promise<Found> {
  try {
    return await find(specifier)
  } catch (error) {
    if (!/^\.{1,2}\/.*\.m?js$/.test(specifier)) throw error
    return find(specifier.replace(/js$/, 'ts')).catch(() => Promise.reject(error as Error))
  }
}

export const load: LoadHook = async (url, context, nextLoad) => {
  if (generationOf(url) === undefined) return nextLoad(url, context)
  const path = fileURLToPath(withoutQuery(url))
  data?.port.postMessage(path, [])
  if (data?.compiler === undefined || !/\.m?ts$/.test(path)) return nextLoad(url, context)
  const source = await compileWith(data.compiler, await readFile(path, 'utf8'), path)
  return { format: 'module', source, shortCircuit: true }
}

function generationOf(url: string | undefined): string | undefined {
  return /[?&]oncehook=(\d+)/.exec(url ?? '')?.[1]
}

function isOfProject(url: string): boolean {
  return url.startsWith('file:') && !url.includes('/node_modules/')
}

function withGeneration(url: string, generation: string): string {
  return `${withoutQuery(url)}?oncehook=${generation}`
}

function withoutQuery(url: string): string {
  return url.replace(/\?.*$/, '')
}
