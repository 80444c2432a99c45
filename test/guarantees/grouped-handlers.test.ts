import { describe, expect } from 'vitest'
import { permanent } from '../../src/index.ts'
import { ids, test } from '../support/grouped-inbox.ts'
import { until } from '../support/until.ts'

function attemptsOf(
  { query, schema }: { readonly query: (text: string, values: unknown[]) => Promise<unknown>; readonly schema: string },
  eventId: string,
): Promise<unknown> {
  return query(`select attempt, outcome from "${schema}".attempts where event_id = $1 order by id`, [eventId])
}

describe('handlers that share a commit', () => {
  test('each take effect once, many of them in one transaction', async ({ grouped, database }) => {
    const { inbox, send, effect, settled } = grouped
    inbox.on('stripe', '*', (event, { tx }) => tx.query(effect, [event.id]), { commit: 'shared' })
    await send(ids(200))
    await inbox.start()
    await settled()

    const effects = await database.query<{ event_id: string; transaction: string }>(
      `select event_id, transaction from "${database.schema}".app_effects order by event_id`,
    )
    const receipts = await database.query(
      `select count(*)::int as count from "${database.schema}".receipts where status = 'processed' and attempts = 1`,
    )
    const log = await database.query(
      `select count(*)::int as count from "${database.schema}".attempts where outcome = 'succeeded'`,
    )
    expect(effects.map(({ event_id }) => event_id)).toEqual(ids(200))
    expect(new Set(effects.map(({ transaction }) => transaction)).size).toBeLessThan(100)
    expect([receipts, log]).toEqual([[{ count: 200 }], [{ count: 200 }]])
  })

  test('are undone alone when they fail, and retried alone', async ({ grouped, database }) => {
    const { inbox, send, effect, settled } = grouped
    const runs = new Map<string, number>()
    inbox.on(
      'stripe',
      '*',
      async (event, { tx, defer, attempt }) => {
        runs.set(event.id, (runs.get(event.id) ?? 0) + 1)
        await tx.query(effect, [event.id])
        if (event.type === 'fails.once' && attempt === 1) throw new Error('not this time')
        if (event.type === 'fails.always') throw permanent(new Error('never'))
        if (event.type === 'waits' && runs.get(event.id) === 1) defer({ seconds: 0, reason: 'not yet' })
      },
      { commit: 'shared' },
    )
    await send(ids(60))
    await send(['once_1', 'once_2'], 'fails.once')
    await send(['always_1'], 'fails.always')
    await send(['waits_1'], 'waits')
    await inbox.start()
    await settled()

    const effects = await database.query<{ event_id: string }>(
      `select event_id from "${database.schema}".app_effects order by event_id`,
    )
    expect(effects.map(({ event_id }) => event_id)).toEqual([...ids(60), 'once_1', 'once_2', 'waits_1'])
    // A group in which one fails is run once more, with savepoints; what follows has them from the start.
    expect(Math.max(...ids(60).map((id) => runs.get(id) ?? 0))).toBeLessThanOrEqual(2)
    expect(await attemptsOf(database, 'always_1')).toEqual([{ attempt: 1, outcome: 'failed' }])
    expect(await attemptsOf(database, 'once_1')).toEqual([
      { attempt: 1, outcome: 'failed' },
      { attempt: 2, outcome: 'succeeded' },
    ])
    expect(await database.query(`select event_id from "${database.schema}".receipts where status = 'failed'`)).toEqual([
      { event_id: 'always_1' },
    ])
  })

  test('that swallow a failed statement fail alone, whatever became of their group', async ({ grouped, database }) => {
    const { inbox, send, effect, settled } = grouped
    inbox.on(
      'stripe',
      '*',
      async (event, { tx }) => {
        await tx.query(effect, [event.id])
        if (event.type === 'swallows') await tx.query('select 1 / 0').catch(() => {})
      },
      { commit: 'shared' },
    )
    await send(ids(30))
    await send(['swallows_1'], 'swallows')
    await send(ids(30, 'late'))
    await inbox.start()
    await settled()

    const effects = await database.query<{ event_id: string }>(
      `select event_id from "${database.schema}".app_effects order by event_id`,
    )
    expect(effects.map(({ event_id }) => event_id)).toEqual([...ids(30), ...ids(30, 'late')])
    expect(
      await database.query(`select event_id, last_error from "${database.schema}".receipts where status = 'failed'`),
    ).toEqual([{ event_id: 'swallows_1', last_error: expect.stringContaining('returned as if it had not') }])
  })

  test('commit nothing of an event whose lease was lost', async ({ grouped, database }) => {
    const { inbox, send, effect, settled } = grouped
    const runs = new Map<string, number>()
    inbox.on(
      'stripe',
      '*',
      async (event, { tx }) => {
        const run = (runs.get(event.id) ?? 0) + 1
        runs.set(event.id, run)
        await tx.query(effect, [event.id])
        // Another worker has it now, as far as the database knows.
        if (event.id === 'evt_003' && run === 1) {
          await database.query(`update "${database.schema}".queue set fence = fence + 1000000
            where receipt_id = (select id from "${database.schema}".receipts where event_id = 'evt_003')`)
        }
      },
      { commit: 'shared' },
    )
    await send(ids(10))
    await inbox.start()
    await until(
      () => database.query(`select 1 from "${database.schema}".queue`),
      (rows) => rows.length === 1,
    )

    const before = await database.query<{ event_id: string }>(
      `select event_id from "${database.schema}".app_effects order by event_id`,
    )
    expect(before.map(({ event_id }) => event_id)).toEqual(ids(10).filter((id) => id !== 'evt_003'))
    await database.query(`update "${database.schema}".queue set due_at = now() - interval '1 second'`)
    await inbox.stop()
    await inbox.start()
    await settled()
    expect(
      await database.query(`select event_id from "${database.schema}".app_effects where event_id = 'evt_003'`),
    ).toHaveLength(1)
  })
})

describe('a handler of batches', () => {
  test('gets many events at once, and each takes effect once', async ({ grouped, database }) => {
    const { inbox, send, settled } = grouped
    const sizes: number[] = []
    inbox.on(
      'stripe',
      '*',
      async (events, { tx }) => {
        sizes.push(events.length)
        const table = `"${database.schema}".app_effects`
        await tx.query(`insert into ${table} (event_id) select unnest($1::text[])`, [events.map(({ id }) => id)])
      },
      { batch: 50 },
    )
    await send(ids(200))
    await inbox.start()
    await settled()

    const effects = await database.query<{ event_id: string }>(
      `select event_id from "${database.schema}".app_effects order by event_id`,
    )
    expect(effects.map(({ event_id }) => event_id)).toEqual(ids(200))
    expect(Math.max(...sizes)).toBeGreaterThan(1)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(50)
  })

  test('that fails is tried event by event, so that one bad event fails alone', async ({ grouped, database }) => {
    const { inbox, send, effect, settled } = grouped
    inbox.on(
      'stripe',
      '*',
      async (events, { tx, effectsOf }) => {
        for (const event of events) {
          await effectsOf(event).once(`effect:${event.id}`, () => tx.query(effect, [event.id]))
          if (event.type === 'bad') throw permanent(new Error('a bad one'))
        }
      },
      { batch: 100 },
    )
    await send(ids(40))
    await send(['bad_1'], 'bad')
    await inbox.start()
    await settled()

    const effects = await database.query<{ event_id: string }>(
      `select event_id from "${database.schema}".app_effects order by event_id`,
    )
    expect(effects.map(({ event_id }) => event_id)).toEqual(ids(40))
    expect(await database.query(`select event_id from "${database.schema}".receipts where status = 'failed'`)).toEqual([
      { event_id: 'bad_1' },
    ])
  })

  test.for([
    [{ batch: 0 }, 'batch is 0'],
    [{ batch: 10, mode: 'inline' }, "batch needs mode: 'queued'"],
  ] as const)('cannot be added with %j', ([options, mistake], { grouped }) => {
    expect(() => grouped.inbox.on('stripe', '*', () => {}, { ...options } as never)).toThrow(mistake)
  })
})
