import { basename } from 'node:path'
import { forward } from '../forward/forward.ts'
import type { CheckedConfig } from '../gateway/check-config.ts'
import { createConfigLoader } from '../gateway/load-config.ts'
import type { InboxListener, InboxOptions, Provider } from '../index.ts'
import { wrongUsage } from './failure.ts'
import { type Gateway, startGateway } from './gateway.ts'
import type { Home } from './home.ts'
import type { PortChoice } from './listen.ts'
import { signAsProviders } from './listen-signature.ts'
import { prepareSources } from './sources.ts'

export type ListenOptions = {
  readonly home: Home
  /** The configuration that lends its sources, if there is one. */
  readonly file: string | undefined
  /** Only these sources. None: all there are. */
  readonly names: readonly string[]
  /** Where events go. Undefined: they are only recorded. */
  readonly to: URL | undefined
  readonly values: { readonly database?: string | undefined; readonly schema?: string | undefined }
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly where: PortChoice
  readonly listener: InboxListener
}

/** A gateway whose every source is forwarded to one address. */
export type ListenGateway = {
  readonly gateway: Gateway
  readonly sources: readonly ListenedSource[]
}

export type ListenedSource = { readonly name: string; readonly secretFrom: string }

/** Somebody sits in front of it and mends the other end: no long rests, and the next attempt soon. */
const retry = { firstSeconds: 2, factor: 2, maximumSeconds: 60 } as const
const circuit = { failures: 5, pauseSeconds: 2, maximumPauseSeconds: 10 } as const

/**
 * Starts a gateway here that records what comes once and hands it on. A configuration lends its sources with their secrets, and how
 * bodies are redacted and encrypted; its handlers and its database are left alone.
 */
export async function startListening(options: ListenOptions): Promise<ListenGateway> {
  const { home, to, where, values, environment, listener } = options
  const lent = await (options.file === undefined ? ownSources(options) : sourcesOf(options.file, options.names))
  const checked = configOf(lent, to)
  const gateway = await startGateway({
    home,
    file: options.file ?? home.folder,
    loader: { load: async () => checked, onFile: () => {} },
    role: 'all',
    isWatched: false,
    values,
    // Whoever listens has not asked for the database of the app, whose own workers may run there.
    environment: { ...environment, DATABASE_URL: undefined },
    where: () => where,
    listener,
  })
  const stop = async (): Promise<void> => {
    await gateway.stop()
    await lent.close()
  }
  return { gateway: { ...gateway, stop }, sources: lent.sources }
}

type LentSources = {
  readonly sources: readonly ListenedSource[]
  readonly providers: Readonly<Record<string, Provider>>
  readonly options: Partial<InboxOptions<unknown>>
  readonly close: () => Promise<void>
}

function configOf({ providers, options }: LentSources, to: URL | undefined): CheckedConfig {
  const run =
    to && forward({ to, circuit, allowPrivateAddresses: true, allowInsecure: true, sign: signAsProviders(providers) })
  const handlers = Object.keys(providers).flatMap((source) =>
    run === undefined
      ? []
      : [{ path: '--forward', source, type: '*', run, options: { name: `${source}/listen` } } as const],
  )
  return { config: { sources: providers }, options: { ...options, retry }, providers, handlers, warnings: [] }
}

async function ownSources({ home, environment, names }: ListenOptions): Promise<LentSources> {
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
  const known = Object.keys(providers)
  const stranger = names.find((name) => !known.includes(name))
  if (stranger !== undefined) {
    const there = known.join(', ')
    throw wrongUsage(`${basename(file)} has no source ${JSON.stringify(stranger)}. There are: ${there}.`)
  }
  const chosen = Object.entries(providers).filter(([name]) => names.length === 0 || names.includes(name))
  const { redact, encryption } = options
  return {
    sources: chosen.map(([name]) => ({ name, secretFrom: basename(file) })),
    providers: Object.fromEntries(chosen),
    options: { ...(redact !== undefined && { redact }), ...(encryption !== undefined && { encryption }) },
    // It was made when the configuration was read, and never used.
    close: async () => config.store?.close(),
  }
}
