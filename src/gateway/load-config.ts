import { existsSync, readFileSync } from 'node:fs'
import { createRequire, register } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { MessageChannel } from 'node:worker_threads'
import { OncehookError } from '../errors.ts'
import { type CheckedConfig, checkConfig } from './check-config.ts'
import type { Compiler, HookData } from './fresh-imports.ts'

const names = ['ts', 'mts', 'js', 'mjs'].map((extension) => `oncehook.config.${extension}`)

/** The configuration of a directory, if it has one. */
export function findConfig(directory: string): string | undefined {
  return names.map((name) => join(directory, name)).find((path) => existsSync(path))
}

/** Reads a configuration, again and again if need be. */
export type ConfigLoader = {
  /** As it is now, and checked. Rejects with all that is wrong. */
  readonly load: () => Promise<CheckedConfig>
  /** Told each file that it is made of, once. */
  readonly onFile: (listener: (path: string) => void) => void
}

/** Of one file; a process has one of them. */
export function createConfigLoader(path: string): ConfigLoader {
  const files = new Set<string>()
  const listeners: ((path: string) => void)[] = []
  let generation = 0

  return {
    async load() {
      if (generation === 0) addHooks()
      generation += 1
      return checkConfig(await importConfig(`${pathToFileURL(path).href}?oncehook=${generation}`), basename(path))
    },
    onFile(listener) {
      listeners.push(listener)
      for (const file of files) listener(file)
    },
  }

  function addHooks(): void {
    const compiler = compilerFor(path)
    const { port1, port2 } = new MessageChannel()
    port1.on('message', (file: string) => {
      if (files.has(file)) return
      files.add(file)
      for (const listener of listeners) listener(file)
    })
    port1.unref()
    const hooks = import.meta.url.endsWith('.ts') ? './fresh-imports.ts' : './fresh-imports.js'
    register<HookData>(hooks, {
      parentURL: import.meta.url,
      data: { port: port2, compiler },
      transferList: [port2],
    })
  }

  async function importConfig(url: string): Promise<unknown> {
    try {
      const loaded = (await import(url)) as { readonly default?: unknown }
      return loaded.default
    } catch (error) {
      throw cannotLoad(basename(path), error)
    }
  }
}

/**
 * Node can strip types by itself from 22.18 on. Before that a compiler of the project does it, which most projects in TypeScript have: esbuild
 * (on its own, or of tsx) or TypeScript up to 6. One more module system beside Node's (as jiti is) would load this package twice.
 */
function compilerFor(path: string): Compiler | undefined {
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

/** What went wrong, and where in the project. */
function cannotLoad(file: string, error: unknown): OncehookError {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  const place =
    error instanceof Error
      ? /\(?(?:file:\/\/)?(\/[^\s()?]+)\?oncehook=\d+(:\d+(?::\d+)?)?/.exec(error.stack ?? '')
      : null
  const where = place === null ? '' : ` (${place[1]}${place[2] ?? ''})`
  return new OncehookError(
    'ONCEHOOK_INVALID_OPTIONS',
    `${file} cannot be loaded${where}. ${text.replaceAll(/\?oncehook=\d+/g, '')}`,
    {
      cause: error,
    },
  )
}
