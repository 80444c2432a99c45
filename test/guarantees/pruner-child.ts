// An app that prunes in small steps, in a process of its own. Before the fifth it waits until the test tells it to go on.

import { createInbox, type InboxEvent } from '../../src/index.ts'
import { stripe } from '../../src/providers/stripe.ts'
import { type PgTransaction, postgresStore } from '../../src/store/postgres/postgres-store.ts'
import type { Store } from '../../src/store/store.ts'

export type PrunerReport =
  | { readonly kind: 'ready' }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'upkeep'; readonly task: string; readonly outcome: string }

const { DATABASE_URL: url = '', SCHEMA: schema = '' } = process.env

let steps = 0

function pausing(store: Store<PgTransaction>): Store<PgTransaction> {
  return {
    ...store,
    retention: {
      ...store.retention,
      async pruneReceipts(lease, step) {
        steps += 1
        if (steps === 5) {
          report({ kind: 'waiting' })
          await new Promise((resolve) => process.once('message', resolve))
        }
        return store.retention.pruneReceipts(lease, step)
      },
    },
  }
}

function report(message: PrunerReport): void {
  process.send?.(message)
}

const inbox = createInbox({
  store: pausing(postgresStore(url, { schema })),
  sources: { stripe: stripe({ secret: 'whsec_0123456789abcdef0123456789abcdef' }) },
  worker: { leaseSeconds: 1 },
  retention: { batchSize: 5 },
  migrations: 'manual',
  logger: { info: () => {}, warn: () => {}, error: (fields, message) => console.error(message, fields) },
})
inbox.subscribe((event: InboxEvent) => {
  if (event.kind === 'upkeep') report({ kind: 'upkeep', task: event.task, outcome: event.outcome })
})
await inbox.start()
report({ kind: 'ready' })
