import type { Pool } from 'pg'
import { stripeHistory } from '../../src/history/stripe.ts'
import { createInbox, type Inbox, type Provider } from '../../src/index.ts'
import { stripe } from '../../src/providers/stripe.ts'
import { type PgTransaction, postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { stripeKey } from './fake-stripe.ts'

export const outageSecret = 'whsec_0123456789abcdef0123456789abcdef'

export type OutageApp = {
  readonly databaseUrl: string | Pool
  readonly schema: string
  readonly apiUrl: string
}

/** An app whose effects are rows in a table without a unique key, written by a handler of batches. */
export function createOutageApp({
  databaseUrl,
  schema,
  apiUrl,
}: OutageApp): Inbox<PgTransaction, { stripe: Provider }> {
  const history = stripeHistory({ apiKey: stripeKey, apiUrl, requestsPerSecond: 10_000 })
  const inbox = createInbox({
    store: postgresStore(databaseUrl, { schema }),
    sources: { stripe: stripe({ secret: outageSecret, history }) },
    mode: 'queued',
    logger: { info: () => {}, warn: () => {}, error: (fields, message) => console.error(message, fields) },
  })
  inbox.on(
    'stripe',
    'invoice.*',
    async (events, { tx }) => {
      const ids = events.map(({ id }) => id)
      const bodies = events.slice(0, 1).map(({ payload }) => (payload as { readonly id: unknown }).id)
      if (bodies[0] !== ids[0]) throw new Error('This is the body of another event.')
      await tx.query(`insert into "${schema}".app_effects (event_id) select unnest($1::text[])`, [ids])
    },
    { batch: 500 },
  )
  return inbox
}
