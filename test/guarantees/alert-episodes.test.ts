import { describe, expect } from 'vitest'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import type { TestDatabase } from '../support/database.ts'
import { stripeDelivery } from '../support/inbox.ts'
import { until } from '../support/until.ts'
import { counted, episodes, history, leaseOf, test } from '../support/watched-inbox.ts'

describe('an episode', () => {
  test('stays one while its cause goes up and down around the limit', async ({ watched, pass, database }) => {
    const inbox = await watched()
    await overdue(database, '10 minutes')
    await inbox.evaluate()

    for (const [minutes, due] of [
      [20, '3 minutes'],
      [20, '10 minutes'],
      [20, '4 minutes'],
    ] as const) {
      await pass(minutes)
      await overdue(database, due)
      await inbox.evaluate()
    }
    expect(await episodes(database)).toEqual([{ rule: 'lag', source: '*', is_open: true }])
    await overdue(database, '1 minute')
    await inbox.evaluate()
    expect(await episodes(database)).toEqual([{ rule: 'lag', source: '*', is_open: true }])
    await pass(11)
    await overdue(database, '1 minute')
    await inbox.evaluate()

    expect(await episodes(database)).toEqual([{ rule: 'lag', source: '*', is_open: false }])
    expect(await messages(database)).toEqual(['alert-1-opened', 'alert-1-resolved'])
  })

  test('is one, with one message, when eight evaluate at the same moment', async ({ watched, pass, database }) => {
    const inboxes = [await watched(), await watched()]
    await overdue(database, '10 minutes')
    const evaluateAll = (): Promise<unknown> =>
      Promise.all([0, 1, 2, 3].flatMap(() => inboxes.map((inbox) => inbox.evaluate())))

    await evaluateAll()
    await database.query(`delete from "${database.schema}".queue`)
    await pass(20)
    await evaluateAll()

    expect(await episodes(database)).toHaveLength(1)
    expect(await messages(database)).toHaveLength(2)
  })

  test('is left alone by a process that has lost its lease', async ({ watched, database }) => {
    await watched()
    const store = postgresStore(database.url, { schema: database.schema })
    const lease = await leaseOf(store)
    await database.query(`update "${database.schema}".upkeep set leased_until = now() - interval '1 second'`)
    const message = { target: 'ops', key: 'late', message: '{}' }
    const change = { kind: 'open', rule: 'lag', source: undefined, figures: {}, isTold: true, at: new Date() } as const

    const written = await store.alerts.change('default', lease, [{ ...change, messages: () => [message] }])
    await store.alerts.countTraffic(lease)
    await store.close()

    expect(written).toBe(0)
    expect(await episodes(database)).toEqual([])
    expect(await messages(database)).toEqual([])
  })

  test('that is muted is recorded and told when the mute ends', async ({ watched, pass, database }) => {
    const inbox = await watched()
    const until = new Date(Date.now() + 3_600_000)
    await inbox.alerts.mute({ rule: 'lag', until, by: 'ada', why: 'the worker is being moved' })
    await overdue(database, '10 minutes')
    await inbox.evaluate()
    expect(await inbox.alerts.find({ isOpen: true })).toMatchObject([{ rule: 'lag', toldAt: undefined }])
    expect(await inbox.alerts.mutes()).toMatchObject([{ rule: 'lag', by: 'ada', why: 'the worker is being moved' }])
    expect(await messages(database)).toEqual([])

    await pass(61)
    await inbox.evaluate()
    await inbox.evaluate()

    expect(await messages(database)).toEqual(['alert-1-opened'])
  })

  test('that nobody was told of ends without a word', async ({ watched, pass, database }) => {
    const inbox = await watched()
    await inbox.alerts.mute({ until: new Date(Date.now() + 86_400_000), by: 'ada', why: 'a load test' })
    await overdue(database, '10 minutes')
    await inbox.evaluate()
    await database.query(`delete from "${database.schema}".queue`)
    await pass(20)
    await inbox.evaluate()

    expect(await episodes(database)).toEqual([{ rule: 'lag', source: '*', is_open: false }])
    expect(await messages(database)).toEqual([])
  })

  test('is spoken of again every so often, until somebody takes it up', async ({ watched, pass, database }) => {
    const inbox = await watched({ alerts: { remindHours: 1 } })
    await overdue(database, '10 minutes')
    for (let round = 0; round < 4; round += 1) {
      await inbox.evaluate()
      await inbox.evaluate()
      await pass(40)
    }
    expect(await messages(database)).toEqual(['alert-1-opened', 'alert-1-reminder-1'])

    const [alert] = await inbox.alerts.find()
    expect(await inbox.alerts.acknowledge(alert?.id ?? '', { by: 'ada', why: 'on it' })).toBe(true)
    expect(await inbox.alerts.acknowledge('999', { by: 'ada', why: 'on it' })).toBe(false)
    await pass(120)
    await inbox.evaluate()

    expect(await messages(database)).toHaveLength(2)
    expect(await inbox.alerts.find({ isOpen: true })).toMatchObject([
      { reminders: 1, acknowledged: { by: 'ada', why: 'on it' } },
    ])
  })

  test('needs a name and a reason of whoever mutes or acknowledges', async ({ watched }) => {
    const { alerts } = await watched()
    const refused = (attempt: Promise<unknown>): Promise<string> =>
      attempt.then(
        () => 'taken',
        (error: Error) => error.message,
      )

    expect(await refused(alerts.acknowledge('1', { by: ' ', why: '' }))).toMatch(/by is empty[^]*why is empty/)
    const mute = { rule: 'lags' as 'lag', until: new Date('never'), by: 'ada', why: 'x' }
    expect(await refused(alerts.mute(mute))).toMatch(/rule is "lags"[^]*until is no time/)
  })
})

describe('nothing is said', () => {
  test('of small numbers, nor of anything while nothing is usual yet', async ({ watched, database }) => {
    const inbox = await watched({ mode: 'inline' })
    inbox.on('stripe', '*', (event) => {
      if (event.id.startsWith('evt_bad')) throw new Error('boom')
    })
    for (let number = 0; number < 8; number += 1) {
      await inbox.receive('stripe', stripeDelivery(`evt_bad_${number}`))
      await inbox.receive('stripe', stripeDelivery('evt_0', 'invoice.paid', undefined, 'whsec_another_secret_0123'))
    }
    const delivery = stripeDelivery('evt_1')
    for (let copy = 0; copy < 40; copy += 1) await inbox.receive('stripe', delivery)

    await inbox.look()

    expect(await episodes(database)).toEqual([])
  })

  test('of a source that is as quiet as it always is at this time', async ({ watched, database }) => {
    const { query, schema } = database
    const inbox = await watched()
    await history(database, { days: 29, events: 20, untilMinutes: 120 })
    await watchedSince(database, '29 days')
    // The same two hours of every week are quiet.
    await query(
      `delete from "${schema}".traffic as traffic using generate_series(1, 4) as week
       where bucket between now() - week * interval '7 days' - interval '130 minutes' and now() - week * interval '7 days' + interval '1 hour'`,
    )

    await inbox.look()

    expect(await episodes(database)).toEqual([])
  })

  test('of silence in a time in which nobody listened, or before a week is known', async ({ watched, database }) => {
    const inbox = await watched()
    await history(database, { days: 15, events: 20, untilMinutes: 120 })
    await inbox.look()
    await database.query(
      `update "${database.schema}".alert_watch set watching_since = now() - interval '20 days', evaluated_at = now() - interval '2 hours'`,
    )
    await inbox.look()
    expect(await episodes(database)).toEqual([])

    await watchedSince(database, '20 days')
    await database.query(`delete from "${database.schema}".traffic where bucket < now() - interval '6 days'`)
    await inbox.look()

    expect(await episodes(database)).toEqual([])
  })

  test('of a source that the rule is to leave alone', async ({ watched, database }) => {
    const inbox = await watched({ alerts: { rules: { silence: { except: ['stripe'] }, lag: false } } })
    await history(database, { days: 15, events: 20, untilMinutes: 120 })
    await watchedSince(database, '20 days')
    await overdue(database, '1 hour')

    await inbox.look()

    expect(await episodes(database)).toEqual([])
  })
})

describe('what is kept', () => {
  test('is not the message of an alert that was sent long ago', async ({ watched, database }) => {
    const inbox = await watched()
    await database.query(
      `insert into "${database.schema}".outbox (environment, target, key, message, source, event_id, due_at, status, published_at, receipt_id)
       select 'default', 'ops', 'message-' || days || status, '{}', '*', 'alert-1', now(), status,
         now() - make_interval(days => days), null
       from unnest(array[35, 37]) as days cross join unnest(array['published', 'failed']) as status`,
    )

    await inbox.evaluate()

    expect(await messages(database)).toHaveLength(3)
    expect(await messages(database)).not.toContain('message-37published')
  })
})

describe('what is counted', () => {
  test('counts each row once, also one that is committed late, whoever counts', async ({ watched, database }) => {
    const { pool, query, schema } = database
    await watched()
    const store = postgresStore(pool, { schema })
    const leases = [await leaseOf(store), await leaseOf(store)]
    const insert = (id: string): string =>
      `insert into "${schema}".receipts (environment, source, event_id, type, status, body_hash, body_id)
       values ('default', 'stripe', '${id}', 'a', '${id === 'ignored' ? 'ignored' : 'processed'}', '', gen_random_uuid())`
    const late = await pool.connect()
    await late.query('begin')
    await late.query(insert('late'))
    await query(insert('early'))
    await query(insert('ignored'))
    const countAll = (): Promise<unknown> =>
      Promise.all([...leases, ...leases].map((lease) => store.alerts.countTraffic(lease)))

    await countAll()
    await countAll()
    const meanwhile = await query(`select source from "${schema}".traffic`)
    await late.query('commit')
    late.release()
    await until(
      async () => {
        await countAll()
        return query(`select sum(events)::int as events, sum(handled)::int as handled from "${schema}".traffic`)
      },
      ([row]) => row?.['events'] !== null,
    )
    await counted(store, database)
    await countAll()

    expect(meanwhile).toEqual([])
    expect(
      await query(`select sum(events)::int as events, sum(handled)::int as handled from "${schema}".traffic`),
    ).toEqual([{ events: 3, handled: 2 }])
  })
})

/** One event that has been due for so long. */
async function overdue({ query, schema }: TestDatabase, since: string): Promise<void> {
  await query(
    `insert into "${schema}".queue (receipt_id, environment, source, due_at) values (1, 'default', 'stripe', now() - $1::interval)
     on conflict (receipt_id) do update set due_at = excluded.due_at`,
    [since],
  )
}

async function watchedSince({ query, schema }: TestDatabase, since: string): Promise<void> {
  await query(`update "${schema}".alert_watch set watching_since = now() - $1::interval`, [since])
}

async function messages({ query, schema }: TestDatabase): Promise<readonly string[]> {
  const rows = await query<{ key: string }>(`select key from "${schema}".outbox order by id`)
  return rows.map(({ key }) => key)
}
