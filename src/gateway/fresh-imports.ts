import { readFile } from 'node:fs/promises'
import { createRequire, type LoadHook, type ResolveHook } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { MessagePort } from 'node:worker_threads'

// Hooks for `node:module`'s `register`, which runs this file in a thread of its own. A module that is imported with `?oncehook=<number>`, and
// every file of the project that it imports, is loaded anew for each number. Packages are not: of those there must be one of each.

/** What turns TypeScript into JavaScript where Node cannot: a package of the project. */
export type Compiler = { readonly kind: 'esbuild' | 'typescript'; readonly path: string }

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
  return { format: 'module', source: await compiled(data.compiler, path), shortCircuit: true }
}

async function compiled({ kind, path: compilerPath }: Compiler, path: string): Promise<string> {
  const source = await readFile(path, 'utf8')
  // Both packages can be required, and are only known when this runs.
  const compiler: unknown = createRequire(pathToFileURL(compilerPath))(compilerPath)
  if (kind === 'esbuild') {
    const { transform } = compiler as Esbuild
    const options = { loader: 'ts', format: 'esm', target: 'node20', sourcefile: path, sourcemap: 'inline' }
    return (await transform(source, options)).code
  }
  const { transpileModule, ModuleKind, ScriptTarget } = compiler as TypeScript
  const compilerOptions = { module: ModuleKind.ESNext, target: ScriptTarget.ES2022, inlineSourceMap: true }
  return transpileModule(source, { compilerOptions, fileName: path }).outputText
}

type Esbuild = { readonly transform: (source: string, options: object) => Promise<{ readonly code: string }> }
type TypeScript = {
  readonly transpileModule: (source: string, options: object) => { readonly outputText: string }
  readonly ModuleKind: { readonly ESNext: number }
  readonly ScriptTarget: { readonly ES2022: number }
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
