import { describe, expect } from 'vitest'
import { createInbox, type DeliveryInput } from '../../src/index.ts'
import { shopify } from '../../src/providers/shopify.ts'
import { stripe } from '../../src/providers/stripe.ts'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { type TestDatabase, testOnEmptySchema as test } from '../support/database.ts'
import { createMovingTime } from '../support/moving-time.ts'

const secret = 'whsec_0123456789abcdef0123456789abcdef'
const sources = {
  // Sent again by hand for 30 days, so receipts are kept for 60.
  stripe: stripe({ secret, keepBodyDays: 5 }),
  shopify: shopify({ secret }),
  billing: stripe({ secret, keepDays: 'forever' }),
}
const daysInYear = 366

describe('a year of deliveries', () => {
  test('leaves a ledger that stays small, and processes nothing twice', { timeout: 240_000 }, async ({ database }) => {
    const { query, schema } = database
    const time = await createMovingTime(database)
    const inbox = createInbox({
      store: postgresStore(time.pool, { schema }),
      sources,
      mode: 'queued',
      clock: time.clock,
      retry: { maxAttempts: 1 },
      worker: { concurrency: 1 },
      logger: { info: () => {}, warn: () => {}, error: () => {} },
    })
    await query(`create table "${schema}".app_effects (event_id text not null)`)
    for (const source of ['stripe', 'shopify', 'billing'] as const) {
      inbox.on(
        source,
        '*',
        async (event, { tx }) => {
          if (event.id.includes('poison')) throw new Error('never')
          await tx.query(`insert into "${schema}".app_effects values ($1)`, [event.id])
        },
        { commit: 'shared' },
      )
    }
    const failures: string[] = []
    inbox.subscribe((event) => {
      if (event.kind === 'upkeep' && event.outcome !== 'done')
        failures.push(`${event.task} ${event.outcome} ${event.error}`)
    })
    const deliver = (source: keyof typeof sources, id: string): Promise<unknown> => {
      const delivery: DeliveryInput = sources[source].sign(
        { id, type: 'a.b', payload: { id, object: 'event' } },
        time.clock.now(),
      )
      return inbox.receive(source, delivery)
    }

    const seen: Figures[] = []
    const released: string[] = []
    const firstDay = time.today()
    for (let day = 0; day < daysInYear; day += 1) {
      const again = [1, 3, 29].filter((days) => days <= day).map((days) => deliver('stripe', `evt_${day - days}`))
      const bills = [day, day - 150].filter((number) => number >= 0 && number % 10 === 0)
      const poison = day % 90 === 10 ? [deliver('shopify', `poison_${day}`)] : []
      await Promise.all([
        deliver('stripe', `evt_${day}`),
        deliver('shopify', `order_${day}`),
        ...again,
        ...poison,
        ...bills.map((number) => deliver('billing', `bill_${number}`)),
      ])
      if (day === 40) await inbox.receipts.hold({ eventId: 'evt_40' }, { by: 'ada', why: 'case 17' })
      if (day === 300) released.push(...(await inbox.receipts.release({ isHeld: true }, { by: 'ada', why: 'closed' })))
      await time.pass(1)
      // Not every day: partitions are made ahead for that.
      if (day % 2 === 0) continue
      await inbox.drain()
      seen.push(await figures(database, time.today()))
    }

    expect(failures).toEqual([])
    const bills = Math.ceil(daysInYear / 10)
    const events = 2 * daysInYear + bills
    // Each event took effect, and none twice.
    const effects = await query<{ times: number; events: number }>(
      `select times::int, count(*)::int as events from (select count(*) as times from "${schema}".app_effects group by event_id) as counted group by 1`,
    )
    expect(effects).toEqual([{ times: 1, events }])
    // 60 days of Stripe and of bills, 14 of Shopify, and what must not go: dead letters and the hold.
    expect(Math.max(...seen.map(({ receipts }) => receipts))).toBeLessThanOrEqual(61 + 8 + 15 + 5)
    // Today and three days ahead are there on every day; nothing lies where it has no day of its own; what is past goes in time.
    expect(seen.slice(1).filter(({ ahead }) => ahead !== 3)).toEqual([])
    expect(seen.slice(1).filter(({ homeless }) => homeless > 0)).toEqual([])
    expect(seen.slice(10).filter(({ oldest }) => oldest !== 14)).toEqual([])
    expect(Math.max(...seen.slice(5).map(({ stripeBodies }) => stripeBodies))).toBeLessThanOrEqual(7)
    // The dead letters can still be run, however old they are.
    const dead = await inbox.receipts.find({ status: 'failed' })
    expect(dead).toHaveLength(4)
    for (const { id } of dead) expect(await inbox.receipts.body(id)).toBeDefined()
    // The hold lasted until it was released.
    expect(released).toHaveLength(1)
    expect(await inbox.receipts.find({ eventId: 'evt_40' })).toEqual([])
    const days = await inbox.ledgerDays({ days: 400 })
    const total = (name: 'added' | 'pruned'): number => days.reduce((sum, figuresOfDay) => sum + figuresOfDay[name], 0)
    const [left] = await query<{ count: number }>(`select count(*)::int as count from "${schema}".receipts`)
    expect(total('added')).toBe(events + 4)
    expect(total('added') - total('pruned')).toBe(left?.count)
    expect(days.at(-1)?.day).toBe(firstDay)
    await inbox.close()
    await time.pool.end()
  })
})

type Figures = {
  readonly receipts: number
  /** Days after today that have a partition. */
  readonly ahead: number
  /** How many days ago the oldest partition is. */
  readonly oldest: number
  /** Bodies without a partition of their own. */
  readonly homeless: number
  readonly stripeBodies: number
}

async function figures({ query, schema }: TestDatabase, today: string): Promise<Figures> {
  const [row] = await query<Figures>(
    `with days as (
       select to_date(right(relname, 8), 'YYYYMMDD') as day from pg_inherits join pg_class on pg_class.oid = inhrelid
       where inhparent = '"${schema}".bodies'::regclass and relname ~ '[0-9]{8}$'
     )
     select (select count(*) from "${schema}".receipts)::int as receipts,
       (select count(*) from days where day > $1::date)::int as ahead,
       (select $1::date - min(day) from days)::int as oldest,
       (select count(*) from "${schema}".bodies_default)::int as homeless,
       (select count(*) from "${schema}".receipts join "${schema}".bodies on bodies.id = receipts.body_id where source = 'stripe')::int as "stripeBodies"`,
    [today],
  )
  if (row === undefined) throw new Error('There are no figures.')
  return row
}
