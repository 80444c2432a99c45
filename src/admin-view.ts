import type { DeliveryInput } from './delivery/delivery.ts'
import { describeSources, type SourceDescription } from './describe-sources.ts'
import { type Diagnosis, diagnoseDelivery } from './diagnose-delivery.ts'
import type { HandlerRegistry } from './effects/handler-registry.ts'
import type { Hide } from './errors.ts'
import type { NotedDelivery } from './receipt/receipt.ts'
import type { AdminChange, AdminChangeEnding, AdminLogEntry, AdminLogFilter } from './store/admin-log-store.ts'
import type { AdminSession, NewAdminSession } from './store/admin-session-store.ts'
import type {
  DeadLetterGroups,
  PageFilter,
  Rates,
  ReceiptPage,
  TrafficBucket,
  TrafficQuestion,
} from './store/overview-store.ts'
import type { Store } from './store/store.ts'
import type { Provider } from './verify/provider.ts'

/** What an admin surface needs besides what everybody may ask an inbox. */
export type AdminView = {
  readonly environment: string
  /** The text with `[secret]` in place of the secrets of sources. */
  readonly hideSecrets: Hide
  /** The audit log. */
  readonly log: {
    /** Written before the change is made. Answers with the id of the line. */
    readonly begin: (change: AdminChange) => Promise<string>
    readonly end: (id: string, ending: AdminChangeEnding) => Promise<void>
    /** Newest first. */
    readonly find: (filter?: AdminLogFilter) => Promise<readonly AdminLogEntry[]>
  }
  /** Who is logged in. */
  readonly sessions: {
    readonly open: (session: NewAdminSession) => Promise<void>
    readonly find: (digest: Uint8Array) => Promise<AdminSession | undefined>
    readonly close: (digest: Uint8Array) => Promise<boolean>
  }
  /** Receipts, newest first, as far as a moment leads. */
  readonly page: (filter: PageFilter) => Promise<ReceiptPage>
  /** What happened in the last minutes, counted by all processes as it happened. */
  readonly traffic: (question: TrafficQuestion) => Promise<readonly TrafficBucket[]>
  /** How often things fail or come twice, and how long the ledger is. */
  readonly rates: () => Promise<Rates>
  readonly deadLetterGroups: (source?: string) => Promise<DeadLetterGroups>
  /** The newest deliveries of a source that were not taken. */
  readonly refusals: (source: string, limit: number) => Promise<readonly NotedDelivery[]>
  /** What this inbox is told of its sources and handlers, without secrets. */
  readonly describeSources: () => readonly SourceDescription[]
  /** Whether a delivery would be believed, and why not. Nothing is recorded. Undefined if there is no such source. */
  readonly diagnose: (source: string, delivery: DeliveryInput) => Promise<Diagnosis | undefined>
}

export type AdminViewParts<Tx> = {
  readonly store: Store<Tx>
  readonly environment: string
  readonly sources: ReadonlyMap<string, Provider>
  readonly registry: HandlerRegistry<Tx>
  readonly hideSecrets: Hide
  /** What sources do unless they say otherwise. */
  readonly mode: 'inline' | 'queued'
  readonly now: () => Date
  readonly ready: () => Promise<void>
  /** Resolves when what is looked at counts what happened a moment ago too. */
  readonly settled: () => Promise<void>
}

export function createAdminView<Tx>(parts: AdminViewParts<Tx>): AdminView {
  const { store, environment, sources, registry, hideSecrets, mode, now, ready, settled } = parts
  const { adminLog, adminSessions, overview } = store
  const after = async <Result>(prepared: () => Promise<void>, work: () => Promise<Result>): Promise<Result> => {
    await prepared()
    return work()
  }
  return {
    environment,
    hideSecrets,
    log: {
      begin: (change) => after(ready, () => adminLog.begin(environment, change)),
      end: (id, ending) => adminLog.end(environment, id, ending),
      find: (filter = {}) => after(ready, () => adminLog.find(environment, filter)),
    },
    sessions: {
      open: (session) => after(ready, () => adminSessions.open(environment, session)),
      find: (digest) => after(ready, () => adminSessions.find(environment, digest)),
      close: (digest) => after(ready, () => adminSessions.close(environment, digest)),
    },
    page: (filter) => after(settled, () => overview.page(environment, filter)),
    traffic: (question) => after(settled, () => overview.traffic(environment, question)),
    rates: () => after(settled, () => overview.rates(environment)),
    deadLetterGroups: (source) => after(ready, () => overview.deadLetterGroups(environment, source)),
    refusals: (source, limit) => after(settled, () => overview.refusals(environment, source, limit)),
    describeSources: () => describeSources(sources, registry, mode),
    async diagnose(source, delivery) {
      const provider = sources.get(source)
      return provider && diagnoseDelivery(provider, delivery, now())
    },
  }
}
