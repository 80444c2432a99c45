import type {
  Inbox,
  Receipt,
  ReceiptFilter,
  ReplayNote,
  ReplayPreview,
  Store,
  StoredBody,
  TimelineEntry,
} from '../index.ts'
import { previewerOf } from './demo-preview.ts'
import type { SqlTransaction } from './open-store.ts'

/** The receipts as commands look at them and replay them, wherever the database is. */
export type Ledger = {
  readonly find: (filter: ReceiptFilter) => Promise<readonly Receipt[]>
  readonly timeline: (id: string) => Promise<readonly TimelineEntry[]>
  readonly body: (id: string) => Promise<StoredBody | undefined>
  readonly replay: (filter: ReceiptFilter, note: ReplayNote) => Promise<readonly string[]>
  /** What a replay would do. Nothing of it happens. */
  readonly preview: (filter: ReceiptFilter) => Promise<readonly ReplayPreview[]>
}

/** Looks straight at a store. Never migrates: to look at a database must not change it. */
export function ledgerOfStore(store: Store<SqlTransaction>, environment: string): Ledger {
  return {
    find: (filter) => store.findReceipts(environment, filter),
    timeline: (id) => store.timeline(environment, id),
    body: (id) => store.readBody(environment, id),
    async replay(filter, note) {
      const ids = await store.replay(environment, filter, note)
      if (ids.length > 0) await store.wakeOthers()
      return ids
    },
    preview: previewerOf(store, environment),
  }
}

/** Looks through an inbox that runs, which knows of deliveries that are not written down yet. */
export function ledgerOfInbox({ receipts, replay }: Inbox<SqlTransaction>): Ledger {
  const preview: Ledger['preview'] = (filter) => replay(filter, { preview: true })
  return { find: receipts.find, timeline: receipts.timeline, body: receipts.body, replay, preview }
}
