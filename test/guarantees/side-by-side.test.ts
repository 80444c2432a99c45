import { describe, expect } from 'vitest'
import type { HandlerContext, WebhookEvent } from '../../src/index.ts'
import type { PgTransaction } from '../../src/store/postgres/clients/pg-types.ts'
import { test as base, ids } from '../support/grouped-inbox.ts'
import { until } from '../support/until.ts'

type Run = (event: WebhookEvent, context: HandlerContext<PgTransaction>) => Promise<unknown>

/** Handlers that share a commit and were seen to be brief, so that the next groups of them run side by side. */
const test = base.extend<{
  readonly beside: { readonly on: (special: Run) => Promise<void>; readonly mostAtOnce: () => number }
}>({
  beside: async ({ grouped }, use) => {
    const { inbox, send, effect, settled } = grouped
    let running = 0
    let most = 0
    const on = async (special: Run): Promise<void> => {
      inbox.on(
        'stripe',
        '*',
        async (event, context) => {
          running += 1
          most = Math.max(most, running)
          try {
            await (event.type === 'special' ? special(event, context) : context.tx.query(effect, [event.id]))
          } finally {
            running -= 1
          }
        },
        { commit: 'shared' },
      )
      await inbox.start()
      let round = 0
      const warmUp = async (): Promise<number> => {
        round += 1
        await send(ids(60, `warm_${round}`))
        await settled()
        return most
      }
      await until(warmUp, (seen) => seen > 2)
      // On every connection: the first transaction of each gets to know its server.
      for (let more = 0; more < 10; more += 1) await warmUp()
      await inbox.stop()
    }
    await use({ on, mostAtOnce: () => most })
  },
})

describe('brief handlers that share a commit', () => {
  test('wait for the database together, and each takes effect once', async ({ grouped, beside, database }) => {
    const { inbox, send, settled } = grouped
    await beside.on(async () => {})
    await send(ids(100))
    await inbox.start()
    await settled()

    expect(beside.mostAtOnce()).toBeGreaterThan(10)
    const effects = await database.query<{ event_id: string }>(
      `select event_id from "${database.schema}".app_effects where event_id like 'evt%' order by event_id`,
    )
    expect(effects.map(({ event_id }) => event_id)).toEqual(ids(100))
  })

  test.for(['that it has used before', 'that is new'])(
    'do not see each other between two of their statements, on a connection %s',
    async (connection, { grouped, beside, database }) => {
      const { inbox, send, settled } = grouped
      const counter = `"${database.schema}".app_counter`
      await database.query(`create table ${counter} (value int not null)`)
      await database.query(`insert into ${counter} values (0)`)
      await beside.on(async (_event, { tx }) => {
        // The lock keeps other transactions away, and nothing in this one.
        const { rows } = await tx.query<{ value: number }>(`select value from ${counter} where $1 for update`, [true])
        await tx.query(`update ${counter} set value = $1`, [(rows[0]?.value ?? 0) + 1])
      })
      await send(ids(60, 'special'), 'special')
      if (connection === 'that is new') {
        await database.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'oncehook'`,
        )
      }
      await inbox.start()
      await settled()

      expect(await database.query(`select value from ${counter}`)).toEqual([{ value: 60 }])
    },
  )

  test('fail alone when one statement of the message fails', async ({ grouped, beside, database }) => {
    const { inbox, send, settled } = grouped
    await beside.on((_event, { tx }) => tx.query('select 1 / $1::int', [0]))
    await send(ids(20, 'before'))
    await send(['special_1'], 'special')
    await send(ids(20, 'later'))
    await inbox.start()
    await settled()

    const effects = await database.query<{ event_id: string }>(
      `select event_id from "${database.schema}".app_effects where event_id not like 'warm%' order by event_id`,
    )
    expect(effects.map(({ event_id }) => event_id)).toEqual([...ids(20, 'before'), ...ids(20, 'later')])
    expect(
      await database.query(`select event_id, last_error from "${database.schema}".receipts where status = 'failed'`),
    ).toEqual([{ event_id: 'special_1', last_error: expect.stringContaining('division by zero') }])
  })

  test.for(['with the statements of others', 'after its answer', 'and no other'])(
    'that leave a statement behind %s are found out, and nothing of it is kept',
    async (when, { grouped, beside, database }) => {
      const { inbox, send, effect, settled } = grouped
      await beside.on(async (event, { tx }) => {
        if (when === 'after its answer') await tx.query('select $1::int', [1])
        void tx.query(effect, [event.id])
      })
      const others = when === 'and no other' ? [] : ids(10, 'before')
      await send(others)
      await send(ids(2, 'special'), 'special')
      await inbox.start()
      await settled()

      const effects = await database.query<{ event_id: string }>(
        `select event_id from "${database.schema}".app_effects where event_id not like 'warm%' order by event_id`,
      )
      expect(effects.map(({ event_id }) => event_id)).toEqual(others)
      const failed = await database.query<{ event_id: string }>(
        `select event_id from "${database.schema}".receipts where status = 'failed' and last_error like '%still running%'
         order by event_id`,
      )
      expect(failed.map(({ event_id }) => event_id)).toEqual(ids(2, 'special'))
    },
  )

  test('may send whatever pg can send', async ({ grouped, beside, database }) => {
    const { inbox, send, effect, settled } = grouped
    const answers: unknown[] = []
    await beside.on(async (event, { tx }) => {
      const name = { text: effect, values: [event.id], name: 'app_effect' }
      const forms = {
        named: () => tx.query(name),
        plain: () => tx.query(effect.replace('$1', `'${event.id}'`)),
        rows: () =>
          tx.query({
            text: `${effect} returning event_id as id, 7::int8 as big`,
            values: [event.id],
            rowMode: 'array',
          } as never),
        once: () => Promise.all([tx.query(effect, [event.id]), tx.query('select $1::int as one', [1])]),
      }
      const form = event.id.split('_')[0] as keyof typeof forms
      const answer = await forms[form]()
      if (form === 'rows') answers.push((answer as { readonly rows: unknown }).rows)
    })
    for (const form of ['named', 'plain', 'rows', 'once']) await send(ids(10, form), 'special')
    await inbox.start()
    await settled()

    const effects = await database.query<{ event_id: string }>(
      `select event_id from "${database.schema}".app_effects where event_id not like 'warm%' order by event_id`,
    )
    expect(effects.map(({ event_id }) => event_id)).toEqual(
      ['named', 'once', 'plain', 'rows'].flatMap((form) => [...ids(10, form)]),
    )
    expect(answers).toContainEqual([['rows_003', '7']])
  })

  test('may use effects and the outbox', async ({ grouped, beside, database }) => {
    const { inbox, send, effect, settled } = grouped
    await beside.on(async (event, { tx, once }) => {
      await once(`effect of ${event.id.slice(0, -1)}`, () => tx.query(effect, [event.id]).then(() => null))
    })
    await send(ids(40, 'special'), 'special')
    await inbox.start()
    await settled()

    const [{ count } = { count: 0 }] = await database.query<{ count: number }>(
      `select count(*)::int as count from "${database.schema}".app_effects where event_id like 'special%'`,
    )
    // One for every ten.
    expect(count).toBe(4)
  })
})
