import { createInbox } from '../../src/index.ts'
import { stripe } from '../../src/providers/stripe.ts'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { test as base } from './database.ts'
import { until } from './until.ts'

const secret = 'whsec_grouped_0123456789abcdef'

/** An inbox on this test's schema, with a table for effects that hides no double. */
function openInbox(database: { readonly url: string; readonly schema: string }) {
  const { url, schema } = database
  const source = stripe({ secret })
  const inbox = createInbox({
    store: postgresStore(url, { schema }),
    sources: { stripe: source },
    mode: 'queued',
    retry: { maxAttempts: 3, firstSeconds: 0 },
    worker: { concurrency: 2 },
    logger: { info: () => {}, warn: () => {}, error: () => {} },
  })
  const send = (ids: readonly string[], type = 'invoice.paid'): Promise<unknown> =>
    Promise.all(ids.map((id) => inbox.receive('stripe', source.sign({ id, type }, new Date()))))
  return { inbox, send, effect: `insert into "${schema}".app_effects (event_id) values ($1)` }
}

/** With an inbox whose handlers may share a commit, and a table that tells in which transaction each effect was made. */
export const test = base.extend<{
  readonly grouped: ReturnType<typeof openInbox> & { readonly settled: () => Promise<void> }
}>({
  grouped: async ({ database }, use) => {
    const { query, schema } = database
    await query(
      `create table "${schema}".app_effects (event_id text not null, transaction text default pg_current_xact_id()::text)`,
    )
    const opened = openInbox(database)
    const settled = async (): Promise<void> => {
      await until(
        () => query(`select 1 from "${schema}".queue limit 1`),
        (rows) => rows.length === 0,
      )
    }
    await use({ ...opened, settled })
    await opened.inbox.close()
  },
})

export const ids = (count: number, name = 'evt'): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${name}_${String(index).padStart(3, '0')}`)
