import type {
  AlertView,
  DurabilityReport,
  Encryption,
  HealthReport,
  HoldNote,
  Inbox,
  Inspection,
  Receipt,
  ReceiptFilter,
  ReplayNote,
  ReplayPreview,
  RetryPattern,
  RetryPatternFilter,
  Store,
  StoredBody,
  StoredRedaction,
  TimelineEntry,
} from '../index.ts'
import { previewerOf } from './demo-preview.ts'
import { inboxOver, readerOf } from './encryption.ts'
import type { SqlTransaction } from './open-store.ts'
import { type CallDatastore, datastoreCalls } from './remote-datastore.ts'
import { alertsOfStore } from './store-alerts.ts'
import { retryPatternsOf } from './store-patterns.ts'

/** The receipts as commands look at them and replay them, wherever the database is. */
export type Ledger = {
  readonly find: (filter: ReceiptFilter) => Promise<readonly Receipt[]>
  readonly timeline: (id: string) => Promise<readonly TimelineEntry[]>
  readonly body: (id: string) => Promise<StoredBody | undefined>
  readonly redactions: (ids: readonly string[]) => Promise<readonly StoredRedaction[]>
  readonly replay: (filter: ReceiptFilter, note: ReplayNote) => Promise<readonly string[]>
  readonly hold: (filter: ReceiptFilter, note: HoldNote) => Promise<readonly string[]>
  readonly release: (filter: ReceiptFilter, note: HoldNote) => Promise<readonly string[]>
  /** What a replay would do. Nothing of it happens. */
  readonly preview: (filter: ReceiptFilter) => Promise<readonly ReplayPreview[]>
  readonly findAlerts: AlertView['find']
  readonly acknowledgeAlert: AlertView['acknowledge']
  readonly muteAlerts: AlertView['mute']
  readonly findMutes: AlertView['mutes']
  readonly retryPatterns: (filter: RetryPatternFilter) => Promise<readonly RetryPattern[]>
  readonly health: () => Promise<HealthReport>
  readonly inspect: () => Promise<Inspection>
  readonly durability: () => Promise<DurabilityReport>
  readonly datastore: CallDatastore
}

/** Looks straight at a store. Never migrates: to look at a database must not change it. */
export function ledgerOfStore(store: Store<SqlTransaction>, environment: string, encryption?: Encryption): Ledger {
  const reader = encryption && readerOf(store, environment, encryption)
  return {
    find: (filter) => store.findReceipts(environment, filter),
    timeline: (id) => reader?.timeline(id) ?? store.timeline(environment, id),
    body: (id) => reader?.body(id) ?? store.readBody(environment, id),
    redactions: (ids) => store.readRedactions(environment, ids),
    async replay(filter, note) {
      const ids = await store.replay(environment, filter, note)
      if (ids.length > 0) await store.wakeOthers()
      return ids
    },
    hold: (filter, note) => store.retention.hold(environment, filter, note),
    release: (filter, note) => store.retention.release(environment, filter, note),
    preview: previewerOf(store, environment, encryption),
    ...alertsOf(alertsOfStore(store, environment)),
    retryPatterns: retryPatternsOf(store, environment),
    health: () => store.health(environment),
    inspect: () => store.inspect({ environment }),
    durability: store.durability,
    datastore: (verb, given) => datastoreCalls(inboxOver(store, environment, encryption).datastore)(verb, given),
  }
}

/** Looks through an inbox that runs, which knows of deliveries that are not written down yet. */
export function ledgerOfInbox(
  inbox: Pick<
    Inbox<unknown>,
    'receipts' | 'replay' | 'alerts' | 'retryPatterns' | 'health' | 'durability' | 'datastore'
  >,
  inspect: Ledger['inspect'],
): Ledger {
  const { receipts, replay, alerts, retryPatterns, health, durability } = inbox
  const datastore = datastoreCalls(inbox.datastore)
  const preview: Ledger['preview'] = (filter) => replay(filter, { preview: true })
  const { find, timeline, body, redactions, hold, release } = receipts
  const ofInbox = { replay, preview, retryPatterns, health, inspect, durability, datastore }
  return { find, timeline, body, redactions, hold, release, ...ofInbox, ...alertsOf(alerts) }
}

type AlertVerbs = Pick<Ledger, 'findAlerts' | 'acknowledgeAlert' | 'muteAlerts' | 'findMutes'>

function alertsOf({ find, acknowledge, mute, mutes }: AlertView): AlertVerbs {
  return { findAlerts: find, acknowledgeAlert: acknowledge, muteAlerts: mute, findMutes: mutes }
}
