import { Pool } from 'pg'
import {
  createInbox,
  type DeliveryInput,
  type HandlerEvent,
  type Inbox,
  type InboxEvent,
  type InboxOptions,
  type Provider,
} from '../../src/index.ts'
import { stripe } from '../../src/providers/stripe.ts'
import { type PgTransaction, postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { test as base } from './guarantees.ts'
import { until } from './until.ts'

export type TestInbox = Inbox<PgTransaction, { readonly stripe: Provider }> & {
  /** Everything it has told its listeners. */
  readonly told: readonly InboxEvent[]
  /** Waits until so many handler runs ended in this way. */
  readonly handled: (outcome: HandlerEvent['outcome'], count?: number) => Promise<readonly HandlerEvent[]>
}

type TestInboxOptions = Partial<Omit<InboxOptions<PgTransaction>, 'store' | 'sources'>> & {
  readonly source?: Partial<Parameters<typeof stripe>[0]>
  readonly poolSize?: number
}

const inboxSecret = 'whsec_0123456789abcdef0123456789abcdef'

/** A signed delivery for the inbox of these tests. */
export function stripeDelivery(
  id: string,
  type = 'invoice.paid',
  payload?: unknown,
  secret = inboxSecret,
): DeliveryInput {
  return stripe({ secret }).sign({ id, type, ...(payload !== undefined && { payload }) }, new Date())
}

/** An inbox in this process, on this test's schema. Stopped after the test. */
export const test = base.extend<{ readonly makeInbox: (options?: TestInboxOptions) => TestInbox }>({
  makeInbox: async ({ database }, use) => {
    const stops: (() => Promise<void>)[] = []
    await use(({ source = {}, poolSize = 10, ...options } = {}) => {
      const pool = new Pool({ connectionString: database.url, max: poolSize })
      const store = postgresStore(pool, { schema: database.schema })
      const told: InboxEvent[] = []
      const inbox = createInbox({
        store,
        sources: { stripe: stripe({ secret: inboxSecret, ...source }) },
        logger: { info: () => {}, warn: () => {}, error: () => {} },
        retry: { firstSeconds: 0 },
        ...options,
      })
      inbox.subscribe((event) => told.push(event))
      stops.push(async () => {
        await inbox.stop({ graceSeconds: 0 })
        await store.close()
        await pool.end()
      })
      const handlerEvents = (outcome: HandlerEvent['outcome']): readonly HandlerEvent[] =>
        told.flatMap((event) => (event.kind === 'handler' && event.outcome === outcome ? [event] : []))
      const handled: TestInbox['handled'] = (outcome, count = 1) =>
        until(
          () => handlerEvents(outcome),
          (events) => events.length >= count,
        )
      return { ...inbox, told, handled }
    })
    await Promise.all(stops.map((stop) => stop()))
  },
})
