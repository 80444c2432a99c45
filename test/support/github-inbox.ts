import type { Delivery } from '../../src/delivery/delivery.ts'
import { createInbox, type DeliveryEvent, type Inbox, type InboxOptions } from '../../src/index.ts'
import { github } from '../../src/providers/github.ts'
import type { Recorded } from '../../src/receipt/receipt.ts'
import { type PgTransaction, postgresStore } from '../../src/store/postgres/postgres-store.ts'
import type { Store } from '../../src/store/store.ts'
import { test as base } from './guarantees.ts'

export const silent = { info: () => {}, warn: () => {}, error: () => {} }
export const githubSecret = 'whsec_0123456789abcdef0123456789abcdef'

type Options = Partial<Parameters<typeof github>[0]> & Pick<InboxOptions<PgTransaction>, 'logger'>

export type GithubInbox = Inbox<PgTransaction, { readonly github: ReturnType<typeof github> }> & {
  /** What it has told its listeners of deliveries. */
  readonly told: readonly DeliveryEvent[]
  /** What its store answered. */
  readonly recorded: readonly Recorded[]
}
/** Inboxes for GitHub, whose ids are not signed. Each has a store of its own, as each of several processes would. */
export const test = base.extend<{ readonly makeInbox: (options?: Options) => GithubInbox }>({
  makeInbox: async ({ database }, use) => {
    const stops: (() => Promise<void>)[] = []
    await use(({ logger = silent, ...source } = {}) => {
      const recorded: Recorded[] = []
      const store = listening(postgresStore(database.url, { schema: database.schema }), recorded)
      const told: DeliveryEvent[] = []
      const inbox = createInbox({ store, sources: { github: github({ secret: githubSecret, ...source }) }, logger })
      inbox.subscribe((event) => void (event.kind === 'delivery' && told.push(event)))
      stops.push(() => inbox.close({ graceSeconds: 0 }))
      return { ...inbox, told, recorded }
    })
    await Promise.all(stops.map((stop) => stop()))
  },
})

/** The store, and a list of what it answers. */
function listening(store: Store<PgTransaction>, recorded: Recorded[]): Store<PgTransaction> {
  return {
    ...store,
    async recordReceipts(receipts) {
      const answers = await store.recordReceipts(receipts)
      recorded.push(...answers)
      return answers
    },
    transaction: (work) =>
      store.transaction((transaction) =>
        work({
          ...transaction,
          async recordReceipt(receipt) {
            const answer = await transaction.recordReceipt(receipt)
            recorded.push(answer)
            return answer
          },
        }),
      ),
  }
}

/** Always the same body. */
export function copy(id: string, type = 'push', secret = githubSecret): Delivery {
  return github({ secret }).sign({ id, type, payload: { ref: 'refs/heads/main' } }, new Date())
}
