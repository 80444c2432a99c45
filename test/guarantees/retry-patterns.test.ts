import { describe, expect } from 'vitest'
import type { DeliveryInput, RetryPattern } from '../../src/index.ts'
import type { CountedRetries } from '../../src/receipt/retry-pattern.ts'
import { createCountedStore } from '../support/counted-store.ts'
import type { TestDatabase } from '../support/database.ts'
import { stripeDelivery, test } from '../support/inbox.ts'

describe('the retry patterns of a source', () => {
  test('count copies, their delays and their causes from what is stored', async ({ makeInbox, database }) => {
    let mayFail = true
    const deliveries = new Map<string, DeliveryInput>()
    const receive = (id: string): Promise<unknown> => {
      const delivery = deliveries.get(id) ?? stripeDelivery(id)
      deliveries.set(id, delivery)
      return inbox.receive('stripe', delivery)
    }
    const inbox = makeInbox({ mode: 'inline' })
    inbox.on('stripe', '*', async (event) => {
      if (event.id === 'evt_error' && mayFail) throw new Error('boom')
    })
    await receive('evt_error')
    mayFail = false
    await shift(database, 'attempts', 'started_at', '1 hour')
    await shift(database, 'attempts', 'ended_at', '1 hour')
    for (const id of ['evt_error', 'evt_twice', 'evt_changed', 'evt_slow', 'evt_late', 'evt_again', 'evt_again']) {
      await receive(id)
    }
    await inbox.receive('stripe', stripeDelivery('evt_changed', 'invoice.paid', { other: true }))
    await inbox.receipts.find()
    // Stripe sends again for three days; how long it waits is not documented.
    await move(database, 'attempts', `started_at = started_at - interval '25 s'`, 'evt_slow')
    await move(database, 'receipts', `received_at = received_at - interval '30 minutes'`, 'evt_slow')
    await move(database, 'receipts', `received_at = received_at - interval '10 days'`, 'evt_late')
    await move(database, 'receipts', `received_at = received_at - interval '2 hours'`, 'evt_twice')
    for (const id of ['evt_slow', 'evt_late', 'evt_twice', 'evt_twice']) await receive(id)
    await inbox.receipts.find()
    await move(database, 'deliveries', `at = at - interval '90 minutes' where id = (select min(id) from`, 'evt_twice')

    const [pattern, ...others] = await inbox.retryPatterns()

    expect(others).toEqual([])
    expect(pattern).toMatchObject({ source: 'stripe', events: 6, copies: 7, isComplete: true })
    expect(causesOf(pattern)).toEqual({
      at_once: 1,
      changed_body: 1,
      error_answer: 1,
      provider: 2,
      resent: 1,
      slow_answer: 1,
    })
    expect(delaysOf(pattern)).toEqual({ 0: 2, 900: 2, 3600: 2, 604_800: 1 })
    expect(pattern?.copiesPerEvent).toEqual([
      { copies: 1, events: 5 },
      { copies: 2, events: 1 },
    ])
    expect(pattern?.documented).toMatchObject({ title: 'Stripe', retryHours: 72, deadlineSeconds: undefined })
    expect(pattern?.remarks.join('\n')).toContain('longer than 10 s')
    expect(await inbox.retryPatterns({ source: 'github' })).toEqual([])
    expect(await inbox.retryPatterns({ since: new Date(Date.now() + 60_000) })).toEqual([])
  })

  test('leave out what was before, and say nothing of events that the queue took over', async ({
    makeInbox,
    database,
  }) => {
    const inbox = makeInbox({ mode: 'inline', whenInlineFails: 'queue' })
    inbox.on('stripe', '*', async (event) => {
      if (event.id === 'evt_taken') throw new Error('boom')
    })
    await inbox.receive('stripe', stripeDelivery('evt_taken'))
    for (const id of ['evt_1', 'evt_1', 'evt_2', 'evt_2']) await inbox.receive('stripe', stripeDelivery(id))
    await inbox.receipts.find()
    await move(database, 'deliveries', `at = at - interval '8 days'`, 'evt_1')

    const [pattern] = await inbox.retryPatterns()

    expect(pattern).toMatchObject({ events: 1, copies: 1 })
    expect(await inbox.retryPatterns({ since: new Date(Number.NaN) }).catch((error: unknown) => error)).toMatchObject({
      code: 'ONCEHOOK_INVALID_OPTIONS',
    })
  })

  test('read no more of a long log than what came since then', async ({ makeInbox, database }) => {
    const { query, schema } = database
    await makeInbox().migrate()
    // Else the figures would have its reads in them too.
    await query(`alter table "${schema}".deliveries set (autovacuum_enabled = false)`)
    await query(
      `insert into "${schema}".deliveries (environment, source, event_id, kind, at, status, latency_ms)
       select 'default', 'stripe', 'evt_' || number, 'duplicate', now() - (300000 - number) * interval '10 seconds', 200, 1
       from generate_series(1, 300000) as number`,
    )
    await query(`analyze "${schema}".deliveries`)
    const { store, pagesRead, close } = createCountedStore(database)
    const since = new Date(Date.now() - 3_600_000)
    const counted: CountedRetries[] = []

    const pages = await pagesRead('deliveries', async () => {
      counted.push(...(await store.retryPatterns('default', { source: 'stripe', since, limits: [] })))
    })
    await close()

    const copies = counted[0]?.copiesPerEvent[0]?.events
    expect(copies).toBeGreaterThan(350)
    expect(copies).toBeLessThanOrEqual(361)
    // The table has more than three thousand, and its indexes as many again. A copy costs three or four.
    expect(pages).toBeGreaterThan(100)
    expect(pages).toBeLessThan(2000)
  })
})

function causesOf(pattern: RetryPattern | undefined): Readonly<Record<string, number>> {
  return Object.fromEntries(pattern?.causes.map(({ cause, copies }) => [cause, copies]) ?? [])
}

/** By the seconds from which on each bucket counts; without empty ones. */
function delaysOf(pattern: RetryPattern | undefined): Readonly<Record<string, number>> {
  const filled = pattern?.delays.filter(({ copies }) => copies > 0) ?? []
  return Object.fromEntries(filled.map(({ fromSeconds, copies }) => [fromSeconds, copies]))
}

async function shift({ query, schema }: TestDatabase, table: string, column: string, by: string): Promise<void> {
  await query(`update "${schema}".${table} set ${column} = ${column} - $1::interval`, [by])
}

async function move({ query, schema }: TestDatabase, table: string, change: string, eventId: string): Promise<void> {
  const place = `"${schema}".${table} where event_id = '${eventId}'`
  const choice = change.endsWith('from') ? `${change} ${place})` : `${change} where event_id = '${eventId}'`
  await query(`update "${schema}".${table} set ${choice}`)
}
