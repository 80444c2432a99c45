import { forward } from '../forward/forward.ts'
import type { CheckedConfig } from '../gateway/check-config.ts'
import type { InboxListener } from '../index.ts'
import { type Gateway, startGateway } from './gateway.ts'
import type { Home } from './home.ts'
import type { LentSources } from './lent-sources.ts'
import type { PortChoice } from './listen.ts'
import { signAsProviders } from './listen-signature.ts'

export type ListenOptions = {
  readonly home: Home
  readonly lent: LentSources
  /** Where events go. Undefined: they are only recorded. */
  readonly to: URL | undefined
  readonly values: { readonly database?: string | undefined; readonly schema?: string | undefined }
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly where: PortChoice
  readonly listener: InboxListener
}

/** A gateway whose every source is forwarded to one address. */
export type ListenGateway = { readonly gateway: Gateway; readonly sources: LentSources['sources'] }

/** Somebody sits in front of it and mends the other end: no long rests, and the next attempt soon. */
const retry = { firstSeconds: 2, factor: 2, maximumSeconds: 60 } as const
const circuit = { failures: 5, pauseSeconds: 2, maximumPauseSeconds: 10 } as const

/** Starts a gateway here that records what comes once and hands it on. */
export async function startListening(options: ListenOptions): Promise<ListenGateway> {
  const { home, lent, to, where, values, environment, listener } = options
  const checked = configOf(lent, to)
  const gateway = await startGateway({
    home,
    // Only named where a configuration has mistakes, and this one was checked.
    file: home.folder,
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
