import { describe, expect } from 'vitest'
import { createInbox, type Outcome } from '../../src/index.ts'
import { stripe } from '../../src/providers/stripe.ts'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { test as base } from '../support/database.ts'

const secret = 'whsec_grouped_inline_0123456789'

/** An inbox on this test's schema, with a table for effects that hides no double. */
function openInbox({ url, schema }: { readonly url: string; readonly schema: string }) {
  const source = stripe({ secret })
  const inbox = createInbox({
    store: postgresStore(url, { schema }),
    sources: { stripe: source },
    mode: 'inline',
    logger: { info: () => {}, warn: () => {}, error: () => {} },
  })
  const deliver = (id: string, type = 'invoice.paid'): Promise<Outcome> =>
    inbox.receive('stripe', source.sign({ id, type }, new Date()))
  return { inbox, deliver, effect: `insert into "${schema}".app_effects (event_id) values ($1)` }
}

const test = base.extend<{
  readonly grouped: ReturnType<typeof openInbox> & { readonly other: ReturnType<typeof openInbox> }
}>({
  grouped: async ({ database }, use) => {
    const { query, schema } = database
    await query(
      `create table "${schema}".app_effects (event_id text not null, transaction text default pg_current_xact_id()::text)`,
    )
    const opened = openInbox(database)
    const other = openInbox(database)
    await opened.inbox.migrate()
    await use({ ...opened, other })
    await opened.inbox.close()
    await other.inbox.close()
  },
})

const ids = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `evt_${String(index).padStart(3, '0')}`)

function kindsOf(outcomes: readonly Outcome[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { kind } of outcomes) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}

describe('inline handlers that share a commit', () => {
  test('each take effect once before their answer, many of them in one transaction', async ({ grouped, database }) => {
    const { inbox, deliver, effect } = grouped
    inbox.on('stripe', '*', (event, { tx }) => tx.query(effect, [event.id]), { commit: 'shared' })

    const outcomes = await Promise.all(ids(120).map((id) => deliver(id)))

    const effects = await database.query<{ event_id: string; transaction: string }>(
      `select event_id, transaction from "${database.schema}".app_effects order by event_id`,
    )
    expect(kindsOf(outcomes)).toEqual({ processed: 120 })
    expect(effects.map(({ event_id }) => event_id)).toEqual(ids(120))
    expect(new Set(effects.map(({ transaction }) => transaction)).size).toBeLessThan(60)
    expect(
      await database.query(
        `select status, attempts, count(*)::int as count from "${database.schema}".receipts group by status, attempts`,
      ),
    ).toEqual([{ status: 'processed', attempts: 1, count: 120 }])
    expect(
      await database.query(
        `select outcome, count(*)::int as count from "${database.schema}".attempts group by outcome`,
      ),
    ).toEqual([{ outcome: 'succeeded', count: 120 }])
  })

  test('are rolled back alone when they fail, and run as if for the first time when they come again', async ({
    grouped,
    database,
  }) => {
    const { inbox, deliver, effect } = grouped
    let isBroken = true
    inbox.on(
      'stripe',
      '*',
      async (event, { tx }) => {
        await tx.query(effect, [event.id])
        if (event.type === 'fails' && isBroken) throw new Error('not now')
        if (event.type === 'swallows') await tx.query('select 1 / 0').catch(() => {})
      },
      { commit: 'shared' },
    )

    const outcomes = await Promise.all([
      ...ids(40).map((id) => deliver(id)),
      deliver('bad_1', 'fails'),
      deliver('bad_2', 'swallows'),
    ])
    const stored = await database.query<{ event_id: string }>(
      `select event_id from "${database.schema}".receipts order by event_id`,
    )
    isBroken = false
    const again = await deliver('bad_1', 'fails')

    const effects = await database.query<{ event_id: string }>(
      `select event_id from "${database.schema}".app_effects order by event_id`,
    )
    expect(kindsOf(outcomes)).toEqual({ processed: 40, failed: 2 })
    expect(stored.map(({ event_id }) => event_id)).toEqual(ids(40))
    expect(again.kind).toBe('processed')
    expect(effects.map(({ event_id }) => event_id)).toEqual(['bad_1', ...ids(40)])
    expect(
      await database.query(
        `select event_id, outcome from "${database.schema}".attempts where event_id like 'bad%' order by id`,
      ),
    ).toEqual(
      expect.arrayContaining([
        { event_id: 'bad_1', outcome: 'failed' },
        { event_id: 'bad_2', outcome: 'failed' },
        { event_id: 'bad_1', outcome: 'succeeded' },
      ]),
    )
  })

  test('run once for many copies that come at once to two inboxes', async ({ grouped, database }) => {
    for (const { inbox, effect } of [grouped, grouped.other]) {
      inbox.on('stripe', '*', (event, { tx }) => tx.query(effect, [event.id]), { commit: 'shared' })
    }
    const copies = ids(20).flatMap((id) => [
      ...Array.from({ length: 4 }, () => grouped.deliver(id)),
      ...Array.from({ length: 4 }, () => grouped.other.deliver(id)),
    ])

    const outcomes = await Promise.all(copies)

    const effects = await database.query<{ event_id: string }>(
      `select event_id from "${database.schema}".app_effects order by event_id`,
    )
    expect(effects.map(({ event_id }) => event_id)).toEqual(ids(20))
    expect(kindsOf(outcomes)).toEqual({ processed: 20, duplicate: 140 })
  })

  test('give each delivery its own answer', async ({ grouped }) => {
    const { inbox, deliver } = grouped
    inbox.on('stripe', '*', (event, { respond }) => respond({ status: 200, body: `for ${event.id}` }), {
      commit: 'shared',
    })

    const outcomes = await Promise.all(ids(10).map((id) => deliver(id)))

    expect(outcomes.map((outcome) => (outcome.kind === 'processed' ? outcome.answer?.body : outcome.kind))).toEqual(
      ids(10).map((id) => `for ${id}`),
    )
  })
})
