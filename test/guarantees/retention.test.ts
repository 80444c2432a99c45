import { describe, expect } from 'vitest'
import type { Clock } from '../../src/clock.ts'
import { createInbox, type Inbox, type InboxEvent, type InboxOptions, type Provider } from '../../src/index.ts'
import { stripe } from '../../src/providers/stripe.ts'
import { type PgTransaction, postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { testOnEmptySchema as base } from '../support/database.ts'
import { createMovingTime, type MovingTime } from '../support/moving-time.ts'

const secret = 'whsec_0123456789abcdef0123456789abcdef'

type Aged = {
  readonly time: MovingTime
  /** An inbox in whose time days can pass. */
  readonly makeInbox: (
    retention?: InboxOptions<PgTransaction>['retention'],
    clock?: Clock,
  ) => Inbox<PgTransaction, { readonly stripe: Provider }> & {
    readonly told: readonly InboxEvent[]
    readonly deliver: (id: string) => Promise<string>
  }
}

const test = base.extend<{ readonly aged: Aged }>({
  aged: async ({ database }, use) => {
    const time = await createMovingTime(database)
    const closes: (() => Promise<void>)[] = []
    await use({
      time,
      makeInbox(retention, clock = time.clock) {
        const source: Provider = stripe({ secret })
        const inbox = createInbox({
          store: postgresStore(time.pool, { schema: database.schema }),
          sources: { stripe: source },
          clock,
          logger: { info: () => {}, warn: () => {}, error: () => {} },
          ...(retention !== undefined && { retention }),
        })
        const told: InboxEvent[] = []
        inbox.subscribe((event) => told.push(event))
        closes.push(() => inbox.close())
        const deliver = async (id: string): Promise<string> =>
          (await inbox.receive('stripe', source.sign({ id, type: 'invoice.paid' }, time.clock.now()))).kind
        return { ...inbox, told, deliver }
      },
    })
    for (const close of closes) await close()
    await time.pool.end()
  },
})

describe('pruning', () => {
  test('can be tried, and asked for at once', async ({ aged: { time, makeInbox } }) => {
    const inbox = makeInbox({ window: { from: '00:00', to: '00:01' } })
    inbox.on('stripe', '*', () => undefined)
    const day = time.today()
    await Promise.all([inbox.deliver('evt_1'), inbox.deliver('evt_2')])
    await time.pass(1)
    await inbox.prune()
    await time.pass(69)
    const seen: number[] = []

    const tried = await inbox.pruneDryRun()
    const stillThere = await inbox.receipts.find()
    const report = await inbox.prune({ onProgress: (receipts) => seen.push(receipts) })

    expect(tried.sources).toEqual([{ source: 'stripe', keepDays: 60, keepBodyDays: 14, keepsKeys: false, receipts: 2 }])
    expect(tried.bodyDays).toContain(day)
    expect(stillThere).toHaveLength(2)
    expect(report).toMatchObject({ outcome: 'done', counts: { receipts: 2, partitionsDropped: tried.bodyDays.length } })
    expect(seen).toEqual([2])
    expect(await inbox.receipts.find()).toEqual([])
    expect(await inbox.ledgerDays({ days: 100 })).toMatchObject([
      { day: time.today(), added: 0, pruned: 2, bodiesPruned: 2, rows: 0 },
      { day, added: 2, pruned: 0, bodiesPruned: 0, rows: 2 },
    ])
  })

  test('is left to the process that is at it', async ({ aged: { makeInbox }, database: { query, schema } }) => {
    const inbox = makeInbox()
    await inbox.prune()
    await query(`update "${schema}".upkeep set leased_until = now() + interval '1 minute', leased_by = 'another'`)

    expect(await inbox.prune()).toEqual({ outcome: 'busy', counts: {} })
  })

  test('waits for its hours', async ({ aged: { time, makeInbox } }) => {
    const hour = (hours: number): string =>
      new Date(time.clock.now().getTime() + hours * 3_600_000).toISOString().slice(11, 16)
    const inbox = makeInbox({ window: { from: hour(2), to: hour(4) } })
    inbox.on('stripe', '*', () => undefined)
    await inbox.deliver('evt_1')
    await inbox.drain()
    await time.pass(70)

    await inbox.drain()
    const before = await inbox.receipts.find()
    await time.pass(3 / 24)
    await inbox.drain()

    expect(before).toHaveLength(1)
    expect(await inbox.receipts.find()).toEqual([])
  })

  test('is not done while the clocks disagree', async ({ aged: { time, makeInbox } }) => {
    const wrong = { ...time.clock, now: () => new Date(time.clock.now().getTime() - 7 * 3_600_000) }
    const inbox = makeInbox({}, wrong)
    await inbox.drain()
    await time.pass(70)

    await inbox.drain()

    expect(inbox.told).toContainEqual(
      expect.objectContaining({ kind: 'notice', message: expect.stringContaining('is 7.0 h ahead of') }),
    )
  })

  test('ends where it is switched off, whatever was said before', async ({ aged: { time, makeInbox } }) => {
    const earlier = makeInbox()
    earlier.on('stripe', '*', () => undefined)
    await earlier.deliver('evt_1')
    await earlier.prune()
    const inbox = makeInbox('off')
    await time.pass(70)

    await inbox.drain()
    const report = await earlier.pruneDryRun({ rules: 'stored' })

    expect(report.sources).toEqual([])
    expect(await inbox.receipts.find()).toHaveLength(1)
    const [receipt] = await inbox.receipts.find()
    expect(await inbox.receipts.body(receipt?.id ?? '')).toBeDefined()
  })
})
