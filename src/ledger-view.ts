import type { HandlerRegistry } from './effects/handler-registry.ts'
import type { Processing } from './effects/processing.ts'
import { previewReplay, type ReplayPreview } from './preview.ts'
import type { DeliveryLog } from './receipt/delivery-log.ts'
import type { OutboxMessage, Receipt, ReceiptFilter, TimelineEntry } from './receipt/receipt.ts'
import type { HealthReport } from './store/health.ts'
import type { MessageFilter } from './store/outbox-store.ts'
import type { HoldNote } from './store/retention-store.ts'
import type { ReplayNote, Store, StoredBody, StoredRedaction } from './store/store.ts'

/** `preview` runs the handlers in transactions that are rolled back, and says what they would do. */
export type Replay = {
  (filter: ReceiptFilter, note: ReplayNote & { readonly preview?: false }): Promise<readonly string[]>
  (filter: ReceiptFilter, note: Partial<ReplayNote> & { readonly preview: true }): Promise<readonly ReplayPreview[]>
}

/** Looking at what is stored, and putting it back to work. */
export type LedgerView = {
  readonly receipts: {
    readonly find: (filter?: ReceiptFilter) => Promise<readonly Receipt[]>
    readonly get: (id: string) => Promise<Receipt | undefined>
    /** All that happened to a receipt, oldest first: deliveries, attempts, replays. */
    readonly timeline: (id: string) => Promise<readonly TimelineEntry[]>
    /** The exact bytes, and the headers that were kept. */
    readonly body: (id: string) => Promise<StoredBody | undefined>
    /** What was left out of the bodies of these receipts; nothing is said of those that are whole. */
    readonly redactions: (ids: readonly string[]) => Promise<readonly StoredRedaction[]>
    /** Keeps receipts, with their bodies and logs, however old they get, until they are released. Answers with the ids of those that were free. */
    readonly hold: (filter: ReceiptFilter, note: HoldNote) => Promise<readonly string[]>
    /** Lets them go when their time is over. Answers with the ids of those that were held. */
    readonly release: (filter: ReceiptFilter, note: HoldNote) => Promise<readonly string[]>
  }
  readonly messages: {
    readonly find: (filter?: MessageFilter) => Promise<readonly OutboxMessage[]>
    /** Sends dead letters again, with the same key. Answers with their ids. */
    readonly replay: (filter: MessageFilter) => Promise<readonly string[]>
  }
  readonly replay: Replay
  /** Rates of the last hour, what waits, what failed, and how large the ledger is. Never a walk over the ledger. */
  readonly health: () => Promise<HealthReport>
}

export type LedgerViewParts<Tx> = {
  readonly store: Store<Tx>
  readonly environment: string
  readonly processing: Processing<Tx>
  readonly registry: HandlerRegistry<Tx>
  readonly deliveryLog: DeliveryLog
  readonly ready: () => Promise<void>
  readonly wake: () => Promise<void>
}

export function createLedgerView<Tx>(parts: LedgerViewParts<Tx>): LedgerView {
  const { store, environment, processing, registry, deliveryLog, ready, wake } = parts

  return {
    receipts: {
      async find(filter = {}) {
        await settled()
        return store.findReceipts(environment, filter)
      },
      async get(id) {
        await settled()
        return (await store.findReceipts(environment, { id, limit: 1 }))[0]
      },
      async timeline(id) {
        await settled()
        return store.timeline(environment, id)
      },
      async body(id) {
        await ready()
        return store.readBody(environment, id)
      },
      async redactions(ids) {
        await ready()
        return store.readRedactions(environment, ids)
      },
      async hold(filter, note) {
        await ready()
        return store.retention.hold(environment, filter, note)
      },
      async release(filter, note) {
        await ready()
        return store.retention.release(environment, filter, note)
      },
    },
    // The compiler cannot see that the option decides which of the two it is.
    replay: replay as Replay,
    async health() {
      await settled()
      return store.health(environment)
    },
    messages: {
      async find(filter = {}) {
        await ready()
        return store.outbox.find(environment, filter)
      },
      async replay(filter) {
        await ready()
        const ids = await store.outbox.replay(environment, filter)
        if (ids.length > 0) await wake()
        return ids
      },
    },
  }

  /** What is looked at counts the deliveries of a moment ago too. */
  async function settled(): Promise<void> {
    await ready()
    await deliveryLog.flush()
  }

  async function replay(
    filter: ReceiptFilter,
    { by = '', why = '', preview = false }: Partial<ReplayNote> & { readonly preview?: boolean },
  ): Promise<readonly string[] | readonly ReplayPreview[]> {
    await ready()
    if (preview) return previewAll(filter)
    const ids = await store.replay(environment, filter, { by, why })
    if (ids.length > 0) await wake()
    await tellRedactions(ids)
    return ids
  }

  /** Whoever replays expects handlers to see what came; here they do not. */
  async function tellRedactions(ids: readonly string[]): Promise<void> {
    const redacted = ids.length === 0 ? [] : await store.readRedactions(environment, ids.slice(0, mostLookedAt))
    if (redacted.length === 0) return
    const paths = [...new Set(redacted.flatMap(({ redaction }) => redaction.paths))].join(', ')
    const message = `Of ${ids.length} replayed events ${redacted.length} were redacted when they came: their handlers do not see ${paths}.`
    processing.emit({ kind: 'notice', level: 'warning', message })
  }

  async function previewAll(filter: ReceiptFilter): Promise<readonly ReplayPreview[]> {
    const previews: ReplayPreview[] = []
    const all = { status: ['failed', 'ignored'], limit: Number.MAX_SAFE_INTEGER, ...filter } as const
    for (const receipt of await store.findReceipts(environment, all)) {
      // What is in the queue runs by itself, and a replay leaves it alone.
      if (isPending(receipt)) continue
      previews.push(await previewReplay(processing, receipt, registry.matched(receipt.source, receipt.type).all))
    }
    return previews
  }
}

/** A notice need not be complete. */
const mostLookedAt = 10_000

function isPending({ status }: Receipt): boolean {
  return status === 'received' || status === 'processing' || status === 'retrying'
}
