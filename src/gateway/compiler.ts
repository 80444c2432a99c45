import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { OncehookError } from '../errors.ts'

/** What turns TypeScript into JavaScript where Node cannot: a package of the project. */
export type Compiler = { readonly kind: 'esbuild' | 'typescript'; readonly path: string }

/**
 * Node can strip types by itself from 22.18 on. Before that a compiler of the project does it, which most projects in TypeScript have: esbuild
 * (on its own, or of tsx) or TypeScript up to 6. One more module system beside Node's (as jiti is) would load this package twice.
 */
export function compilerFor(path: string): Compiler | undefined {
  const { typescript: native } = process.features as { readonly typescript?: unknown }
  const canStrip = native !== undefined && native !== false
  if (canStrip || !/\.m?ts$/.test(path)) return undefined
  const from = createRequire(path)
  const esbuild = resolved(from, 'esbuild') ?? resolvedThrough(from, 'tsx', 'esbuild')
  if (esbuild !== undefined) return { kind: 'esbuild', path: esbuild }
  const typescript = resolved(from, 'typescript')
  if (typescript !== undefined && majorVersion(typescript) < 7) return { kind: 'typescript', path: typescript }
  throw new OncehookError(
    'ONCEHOOK_MISSING_PACKAGE',
    `Node ${process.versions.node} cannot read ${basename(path)} by itself. Use Node 22.18 or later, ` +
      'install a compiler beside it (npm install -D esbuild), or rename it to oncehook.config.mjs and take the types out.',
  )
}

function resolved(from: NodeJS.Require, name: string): string | undefined {
  try {
    return from.resolve(name)
  } catch {
    return undefined
  }
}

function resolvedThrough(from: NodeJS.Require, carrier: string, name: string): string | undefined {
  const manifest = resolved(from, `${carrier}/package.json`)
  return manifest === undefined ? undefined : resolved(createRequire(manifest), name)
}

function majorVersion(file: string): number {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = join(folder, 'package.json')
    if (existsSync(manifest))
      return Number.parseInt((JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version, 10)
  }
  return Number.POSITIVE_INFINITY
}

/** JavaScript for the TypeScript of a file. */
export async function compileWith(
  { kind, path: compilerPath }: Compiler,
  source: string,
  path: string,
): Promise<string> {
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
