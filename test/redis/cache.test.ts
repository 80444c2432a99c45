import { describe, expect } from 'vitest'
import { github } from '../../src/providers/github.ts'
import { stripeDelivery } from '../support/inbox.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { until } from '../support/until.ts'
import { redisClients } from './redis-clients.ts'
import { type CachedInbox, startRedis, test } from './test-with-cache.ts'

/** Signed once: every copy has the same bytes. */
const copy = stripeDelivery('evt_1')

/** Resolves when so many receipts are in Redis. */
async function remembered({ cache }: CachedInbox, count: number): Promise<void> {
  await until(
    () => cache.counts(),
    (counts) => counts.remembered >= count,
  )
}

describe.skipIf(startRedis === undefined).for(Object.keys(redisClients))('a duplicate, through %s', (library) => {
  test.for(['inline', 'queued'] as const)(
    'is known without the database (%s)',
    async (mode, { cachedInbox, admin, database, guarantees }) => {
      const inbox = await cachedInbox({ library, mode })
      const first = await inbox.receive('stripe', copy)
      await remembered(inbox, 1)
      // Whoever asks the ledger now waits until the test ends.
      const locked = await database.pool.connect()
      await locked.query(`begin; lock table "${database.schema}".receipts in access exclusive mode`)

      const copies = await Promise.all(Array.from({ length: 20 }, () => inbox.receive('stripe', copy)))
      await locked.query('rollback')
      locked.release()

      const { receiptId } = first as { readonly receiptId: string }
      expect(copies).toEqual(copies.map(() => ({ kind: 'duplicate', receiptId, eventId: 'evt_1', isMutated: false })))
      expect(inbox.cache.counts()).toMatchObject({ known: 20, unknown: 1, bypassed: 0 })
      expect(await inbox.receipts.find()).toMatchObject([{ id: receiptId, deliveries: 21 }])
      expect(await inbox.receipts.timeline(receiptId)).toHaveLength(mode === 'inline' ? 22 : 21)
      expect(await guarantees.effects('evt_1')).toBe(mode === 'inline' ? 1 : 0)
      const [key = ''] = await admin.keys('*')
      expect(key).toMatch(/^oncehook:receipt:[\w-]{43}$/)
      expect((await admin.get(key))?.length).toBeLessThan(75)
      expect(await admin.ttl(key)).toBeGreaterThan(86_000)
    },
  )

  test('with other bytes is flagged as mutated', async ({ cachedInbox, admin }) => {
    expect(await admin.dbsize()).toBe(0)
    const inbox = await cachedInbox({ library })
    await inbox.receive('stripe', copy)
    await remembered(inbox, 1)

    const mutated = await inbox.receive('stripe', stripeDelivery('evt_1', 'invoice.paid', { amount: 1 }))

    expect(mutated).toMatchObject({ kind: 'duplicate', isMutated: true })
    expect(inbox.cache.counts()).toMatchObject({ known: 1 })
    const { receiptId } = mutated as { readonly receiptId: string }
    const kinds = (await inbox.receipts.timeline(receiptId)).flatMap((entry) =>
      entry.kind === 'delivery' ? [entry.delivery.kind] : [],
    )
    expect(kinds).toEqual(['mutated'])
  })

  test('is looked up together with what comes in the same moment, and remembered together', async ({
    cachedInbox,
    admin,
  }) => {
    const inbox = await cachedInbox({ library, mode: 'queued' })
    const deliveries = Array.from({ length: 50 }, (_, index) => stripeDelivery(`evt_${index}`))
    await inbox.receive('stripe', stripeDelivery('evt_before'))
    await remembered(inbox, 1)
    await admin.config('RESETSTAT')

    await Promise.all(deliveries.map((delivery) => inbox.receive('stripe', delivery)))
    await remembered(inbox, 51)
    await Promise.all(deliveries.map((delivery) => inbox.receive('stripe', delivery)))

    const calls = await commandCalls(admin)
    expect(inbox.cache.counts()).toMatchObject({ known: 50, remembered: 51 })
    expect(calls['mget']).toBeLessThanOrEqual(4)
    expect(calls['evalsha']).toBeLessThanOrEqual(2)
    expect(await admin.dbsize()).toBe(51)
  })
})

describe.skipIf(startRedis === undefined)('what is remembered', () => {
  test('is nothing of an event whose handler rolled back, and its redelivery runs', async ({ cachedInbox, admin }) => {
    const inbox = await cachedInbox({ mode: 'inline' })

    const outcome = await inbox.receive('stripe', stripeDelivery('evt_1', 'fails'))
    const again = await inbox.receive('stripe', stripeDelivery('evt_1', 'fails'))

    expect([outcome.kind, again.kind]).toEqual(['failed', 'failed'])
    expect(inbox.told.filter(({ kind }) => kind === 'handler')).toHaveLength(2)
    expect(await admin.dbsize()).toBe(0)
  })

  test('is also what Redis had forgotten and the database knew', async ({ cachedInbox, admin }) => {
    const inbox = await cachedInbox()
    await inbox.receive('stripe', copy)
    await remembered(inbox, 1)
    await admin.flushall()

    await inbox.receive('stripe', copy)
    await remembered(inbox, 2)
    await inbox.receive('stripe', copy)

    expect(inbox.cache.counts()).toMatchObject({ known: 1, unknown: 2, remembered: 2 })
  })

  test('is not a mutated copy that came to the database, as its bytes are not the first ones', async ({
    cachedInbox,
    admin,
  }) => {
    const inbox = await cachedInbox()
    await inbox.receive('stripe', copy)
    await remembered(inbox, 1)
    await admin.flushall()

    const mutated = await inbox.receive('stripe', stripeDelivery('evt_1', 'invoice.paid', { amount: 1 }))
    const plain = await inbox.receive('stripe', copy)

    expect([mutated, plain]).toMatchObject([{ isMutated: true }, { isMutated: false }])
    expect(inbox.cache.counts()).toMatchObject({ known: 0 })
  })

  test('is not believed of another environment, nor if Redis holds something else under the key', async ({
    cachedInbox,
    admin,
    guarantees,
  }) => {
    const inbox = await cachedInbox({ mode: 'inline' })
    const other = stripeDelivery('evt_2')
    await inbox.receive('stripe', copy)
    await inbox.receive('stripe', other)
    await remembered(inbox, 2)
    const [one = '', two = ''] = await admin.keys('*')
    const [first, second] = await admin.mget(one, two)

    await admin.mset(one, String(second), two, `${first}!`)
    const copies = await Promise.all([copy, other].map((one) => inbox.receive('stripe', one)))
    const staging = await cachedInbox({ mode: 'inline', environment: 'staging' })
    const elsewhere = await staging.receive('stripe', copy)

    expect(copies.map(({ kind }) => kind)).toEqual(['duplicate', 'duplicate'])
    expect(inbox.cache.counts()).toMatchObject({ known: 0 })
    expect(elsewhere.kind).toBe('processed')
    expect(await guarantees.effects('evt_1')).toBe(2)
  })

  test('no longer counts once the ledger was emptied, restored or replaced', async ({ cachedInbox, database }) => {
    const clock = createManualClock(new Date())
    const inbox = await cachedInbox({ mode: 'queued', clock })
    const { query, schema } = database
    const lose = () => query(`truncate "${schema}".receipts, "${schema}".queue, "${schema}".bodies`)
    await inbox.receive('stripe', copy)
    await remembered(inbox, 1)
    expect(await inbox.receive('stripe', copy)).toMatchObject({ kind: 'duplicate' })

    await lose()
    await clock.advance(1000)
    // Asked for in the background, so that the next delivery but few knows of it.
    const noticed = await until(
      () => inbox.receive('stripe', copy),
      ({ kind }) => kind !== 'duplicate',
    )
    await lose()
    await clock.advance(10_000)
    const atOnce = await inbox.receive('stripe', copy)

    expect([noticed.kind, atOnce.kind]).toEqual(['accepted', 'accepted'])
    expect(await query(`select event_id from "${schema}".receipts`)).toEqual([{ event_id: 'evt_1' }])
  })
})

describe.skipIf(startRedis === undefined)('a signed body that comes again under another id', () => {
  const again = { kind: 'duplicate', isMutated: false }
  const repeatsOne = { kind: 'duplicate', repeatsEventId: 'one' }

  test.for([
    ['flag', [{ kind: 'accepted', repeatsEventId: 'one' }, again], ['two', 'one']],
    ['duplicate', [repeatsOne, repeatsOne], ['one']],
  ] as const)('is treated as without Redis (%s)', async ([replayedBody, outcomes, ids], { cachedInbox }) => {
    const source = github({ secret: 'a secret of twenty letters', replayedBody })
    const inbox = await cachedInbox({ sources: { stripe: source }, mode: 'queued' })
    const send = (id: string) => inbox.receive('stripe', source.sign({ id, type: 'push' }, new Date()))
    const first = await send('one')
    await remembered(inbox, 1)

    const repeated = await send('two')
    await remembered(inbox, ids.length)
    const repeatedAgain = await send('two')

    expect(first).toMatchObject({ kind: 'accepted' })
    expect([repeated, repeatedAgain]).toMatchObject([...outcomes])
    expect((await inbox.receipts.find()).map(({ eventId }) => eventId)).toEqual(ids)
  })
})

/** How often each command was called. */
async function commandCalls(admin: { info: (section: string) => Promise<string> }): Promise<Record<string, number>> {
  const report = await admin.info('commandstats')
  return Object.fromEntries(
    [...report.matchAll(/^cmdstat_(\w+):calls=(\d+)/gm)].map(([, name = '', calls]) => [name, Number(calls)]),
  )
}
