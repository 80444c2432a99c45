import { existsSync } from 'node:fs'
import { register } from 'node:module'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { MessageChannel } from 'node:worker_threads'
import { OncehookError } from '../errors.ts'
import { type CheckedConfig, checkConfig } from './check-config.ts'
import { compilerFor } from './compiler.ts'
import type { HookData } from './fresh-imports.ts'

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
