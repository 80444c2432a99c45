import { describe, expect } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { memoryCache } from '../../src/index.ts'
import { stripeDelivery, test } from '../support/inbox.ts'

const tellMutated = ({ kind, ...rest }: { readonly kind: string; readonly isMutated?: boolean }): string =>
  rest.isMutated === true ? 'mutated' : kind

describe('a memory in front of the store', () => {
  test.for(['inline', 'queued'] as const)(
    '%s: changes no outcome, no row and no count',
    async (mode, { makeInbox, database }) => {
      const inbox = makeInbox({ mode, cache: memoryCache() })
      let runs = 0
      inbox.on('stripe', '*', async () => void (runs += 1), { mode })
      const delivery = stripeDelivery('evt_1')

      const first = await inbox.receive('stripe', delivery)
      const later = await Promise.all(Array.from({ length: 30 }, () => inbox.receive('stripe', delivery)))
      const other = await inbox.receive('stripe', stripeDelivery('evt_1', 'invoice.paid', { amount: 7 }))
      await inbox.drain()

      const [receipt] = await inbox.receipts.find()
      const noted = await database.query(
        `select kind, count(*)::int as count from ${database.schema}.deliveries group by kind order by kind`,
      )
      expect(first.kind).toBe(mode === 'inline' ? 'processed' : 'accepted')
      expect([...later, other].map(tellMutated)).toEqual([...Array.from({ length: 30 }, () => 'duplicate'), 'mutated'])
      expect(runs).toBe(1)
      expect(receipt).toMatchObject({ status: 'processed', deliveries: 32 })
      expect(noted).toEqual([
        { kind: 'duplicate', count: 30 },
        { kind: 'mutated', count: 1 },
      ])
    },
  )

  test('answers for copies of what this process has recorded while nobody can look at the ledger', async ({
    makeInbox,
    database,
  }) => {
    const inbox = makeInbox({ mode: 'queued', cache: memoryCache() })
    inbox.on('stripe', '*', async () => {})
    const delivery = stripeDelivery('evt_1')
    await inbox.receive('stripe', delivery)
    const locked = await database.pool.connect()
    await locked.query(`begin; lock table ${database.schema}.receipts in access exclusive mode`)

    const recalled = await Promise.all(Array.from({ length: 20 }, () => inbox.receive('stripe', delivery)))
    await locked.query('rollback')
    locked.release()

    expect(new Set(recalled.map(({ kind }) => kind))).toEqual(new Set(['duplicate']))
  })

  test('remembers nothing that was rolled back', async ({ makeInbox }) => {
    const inbox = makeInbox({ mode: 'inline', cache: memoryCache() })
    let isBroken = true
    inbox.on('stripe', '*', async () => {
      if (isBroken) throw new Error('not yet')
    })
    const delivery = stripeDelivery('evt_1')

    const failed = await inbox.receive('stripe', delivery)
    isBroken = false
    const again = await inbox.receive('stripe', delivery)

    expect([failed.kind, again.kind]).toEqual(['failed', 'processed'])
  })

  test('no longer counts when the ledger was emptied', async ({ makeInbox, database }) => {
    const { now, move } = movingNow()
    const inbox = makeInbox({ mode: 'queued', cache: memoryCache(), clock: { ...systemClock, now } })
    inbox.on('stripe', '*', async () => {})
    const delivery = stripeDelivery('evt_1')
    await inbox.receive('stripe', delivery)

    await database.query(`truncate ${database.schema}.receipts, ${database.schema}.bodies, ${database.schema}.queue`)
    move(11_000)
    const again = await inbox.receive('stripe', delivery)

    expect(again.kind).toBe('accepted')
    expect(await inbox.receipts.find()).toHaveLength(1)
  })
})

function movingNow(): { readonly now: () => Date; readonly move: (milliseconds: number) => void } {
  let ahead = 0
  return { now: () => new Date(Date.now() + ahead), move: (milliseconds) => void (ahead += milliseconds) }
}
