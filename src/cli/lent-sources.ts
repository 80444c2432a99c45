import { basename } from 'node:path'
import { createConfigLoader } from '../gateway/load-config.ts'
import type { InboxOptions, Provider } from '../index.ts'
import { wrongUsage } from './failure.ts'
import type { Home } from './home.ts'
import { prepareSources } from './sources.ts'

/** Sources for a gateway whose handlers are its own. */
export type LentSources = {
  readonly sources: readonly { readonly name: string; readonly secretFrom: string }[]
  readonly providers: Readonly<Record<string, Provider>>
  /** How bodies are stored. */
  readonly options: Pick<Partial<InboxOptions<unknown>>, 'redact' | 'encryption'>
  /** Lets go of what a configuration has made. */
  readonly close: () => Promise<void>
}

export type Lending = {
  readonly home: Home
  /** Undefined: there is no configuration. */
  readonly file: string | undefined
  /** Only these sources. None: all there are. */
  readonly names: readonly string[]
  readonly environment: Readonly<Record<string, string | undefined>>
}

/**
 * The sources of a configuration with their secrets, and how it redacts and encrypts bodies; its handlers and its database are left
 * alone. Without one, every provider as in `start`.
 */
export async function lendSources({ home, file, names, environment }: Lending): Promise<LentSources> {
  if (file !== undefined) return sourcesOf(file, names)
  const prepared = await prepareSources(home, environment, names)
  return {
    sources: prepared,
    providers: Object.fromEntries(prepared.map(({ name, provider }) => [name, provider])),
    options: {},
    close: async () => {},
  }
}

async function sourcesOf(file: string, names: readonly string[]): Promise<LentSources> {
  const { config, options, providers } = await createConfigLoader(file).load()
  // It was made when the configuration was read, and is never used.
  const close = async (): Promise<void> => config.store?.close()
  const known = Object.keys(providers)
  const stranger = names.find((name) => !known.includes(name))
  if (stranger !== undefined) {
    await close()
    const there = known.join(', ')
    throw wrongUsage(`${basename(file)} has no source ${JSON.stringify(stranger)}. There are: ${there}.`)
  }
  const chosen = Object.entries(providers).filter(([name]) => names.length === 0 || names.includes(name))
  const { redact, encryption } = options
  return {
    sources: chosen.map(([name]) => ({ name, secretFrom: basename(file) })),
    providers: Object.fromEntries(chosen),
    options: { ...(redact !== undefined && { redact }), ...(encryption !== undefined && { encryption }) },
    close,
  }
}
