import { describe, expect } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { stripeDelivery, type TestInbox, test } from '../support/inbox.ts'

const delivery = stripeDelivery('evt_1')

const receiveMany = (inbox: TestInbox, copies: number) =>
  Promise.all(Array.from({ length: copies }, () => inbox.receive('stripe', delivery)))

const kindsOf = (outcomes: readonly { readonly kind: string }[]) => new Set(outcomes.map(({ kind }) => kind))

/** Enough for it to be a storm, and for the ledger's name to be heard. */
async function begin(inbox: TestInbox): Promise<void> {
  await inbox.receive('stripe', delivery)
  for (let round = 0; round < 10; round += 1) await receiveMany(inbox, 20)
}

describe('a storm of duplicates', () => {
  test.for(['inline', 'queued'] as const)(
    '%s: has the outcomes, rows and counts of any other duplicates',
    async (mode, { makeInbox, database }) => {
      const inbox = makeInbox({ mode })
      let runs = 0
      inbox.on('stripe', '*', async () => void (runs += 1), { mode })
      const first = await inbox.receive('stripe', delivery)
      // Less than what is logged of duplicates at most, between two writes of the log.
      const later: Awaited<ReturnType<TestInbox['receive']>>[] = []
      for (let round = 0; round < 9; round += 1) later.push(...(await receiveMany(inbox, 10)))
      const other = await inbox.receive('stripe', stripeDelivery('evt_1', 'invoice.paid', { amount: 7 }))
      const anotherEvent = await inbox.receive('stripe', stripeDelivery('evt_2'))
      await inbox.drain()

      const [receipt] = await inbox.receipts.find({ source: 'stripe', eventId: 'evt_1' })
      const noted = await database.query(
        `select kind, count(*)::int as count from ${database.schema}.deliveries group by kind order by kind`,
      )
      const { receiptId } = first as { readonly receiptId: string }
      expect(later).toEqual(later.map(() => ({ kind: 'duplicate', receiptId, eventId: 'evt_1', isMutated: false })))
      expect(other).toMatchObject({ kind: 'duplicate', isMutated: true })
      expect(anotherEvent.kind).toBe(first.kind)
      expect(runs).toBe(2)
      expect(receipt).toMatchObject({ status: 'processed', deliveries: 92 })
      expect(noted).toEqual([
        { kind: 'duplicate', count: 90 },
        { kind: 'mutated', count: 1 },
      ])
    },
  )

  test.for(['inline', 'queued'] as const)(
    '%s: does not ask the ledger for each of its copies',
    async (mode, { makeInbox, database }) => {
      const inbox = makeInbox({ mode })
      inbox.on('stripe', '*', async () => {})
      await begin(inbox)
      const locked = await database.pool.connect()
      await locked.query(`begin; lock table ${database.schema}.receipts in access exclusive mode`)

      const outcomes = await receiveMany(inbox, 50)
      await locked.query('rollback')
      locked.release()

      expect(kindsOf(outcomes)).toEqual(new Set(['duplicate']))
    },
  )

  test('ends with the ledger that it was known of', async ({ makeInbox, database }) => {
    let ahead = 0
    const clock = { ...systemClock, now: () => new Date(Date.now() + ahead) }
    const inbox = makeInbox({ mode: 'queued', clock })
    inbox.on('stripe', '*', async () => {})
    await begin(inbox)

    await database.query(`truncate ${database.schema}.receipts, ${database.schema}.bodies, ${database.schema}.queue`)
    // By then the name that was heard before is not trusted any more.
    ahead = 11_000
    const again = await inbox.receive('stripe', delivery)

    expect(again.kind).toBe('accepted')
    expect(await inbox.receipts.find()).toHaveLength(1)
  })

  test('remembers nothing that was rolled back', async ({ makeInbox }) => {
    const inbox = makeInbox({ mode: 'inline' })
    let isBroken = true
    inbox.on('stripe', 'invoice.paid', async (event) => {
      if (isBroken && event.id === 'evt_2') throw new Error('not yet')
    })
    await begin(inbox)
    const other = stripeDelivery('evt_2')

    const failed = await inbox.receive('stripe', other)
    isBroken = false
    const again = await inbox.receive('stripe', other)

    expect([failed.kind, again.kind]).toEqual(['failed', 'processed'])
  })
})
