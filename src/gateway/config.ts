import type { CaptureOptions } from '../capture/create-captures.ts'
import type { ForwardOptions } from '../forward/forward.ts'
import type { Handler, HandlerOptions, InboxOptions, Provider, Store } from '../index.ts'
import type { AdminConfig } from './admin-config.ts'

/** What the transactions of every store have in common. */
export type SqlTransaction = {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly unknown[] }>
}

/** What `oncehook.config.ts` exports by default. */
export type GatewayConfig<Tx = SqlTransaction> = Omit<InboxOptions<Tx>, 'store' | 'sources' | 'clock' | 'random'> & {
  /** By the name under which deliveries come in, at `/in/<name>`. */
  readonly sources: Readonly<Record<string, SourceConfig<Tx>>>
  /** Endpoints that several sources forward to, by name. They share places, rate and rest. */
  readonly destinations?: Readonly<Record<string, ForwardOptions>>
  /** `postgres://…`, or a directory for the embedded one. Default: `--database`, `$DATABASE_URL`, else `./.oncehook/data`. */
  readonly database?: string | undefined
  /** Where the tables are. Default `oncehook`. */
  readonly schema?: string
  /** In place of `database`: a store of your own, whose transaction handlers get. */
  readonly store?: Store<Tx>
  readonly server?: ServerConfig
  /** Endpoints at `/capture/<name>` that take any request whole. */
  readonly captures?: CaptureOptions
  /** The dashboard and the API. Default: for this machine alone, without a login. `false`: neither of them. */
  readonly admin?: AdminConfig | false
}

/** A provider alone, whose events are only recorded, or one with what is done with its events. */
export type SourceConfig<Tx> =
  | Provider
  | {
      readonly provider: Provider
      /** Where all its events go: options of `forward`, or the name of a destination. */
      readonly forward?: string | ForwardOptions
      /** Handlers by event type: a type, a beginning as in `invoice.*`, or `*`. */
      readonly on?: Readonly<Record<string, Handler<Tx> | HandlerConfig<Tx>>>
    }

/** A handler with options, or where events of the type go. */
export type HandlerConfig<Tx> = HandlerOptions & {
  readonly run?: Handler<Tx>
  readonly forward?: string | ForwardOptions
}

/** Where and how the gateway listens. */
export type ServerConfig = {
  /** Default 4400, or the next free one. */
  readonly port?: number
  /** Default 127.0.0.1, which only this machine can reach. */
  readonly host?: string
  /** Believe `x-forwarded-proto` and `x-forwarded-host`. Only behind a proxy that sets them. Default false. */
  readonly trustProxy?: boolean
  /** How long deliveries are still taken after the request to stop, while `/readyz` already says no. Default 0. */
  readonly drainSeconds?: number
}

/** Gives a configuration its type; it is checked when the gateway starts. */
export function defineConfig<Tx = SqlTransaction>(config: GatewayConfig<Tx>): GatewayConfig<Tx> {
  return config
}
