import { once } from 'node:events'
import { describe, expect, vi } from 'vitest'
import type { ShadowFinding } from '../../src/index.ts'
import { handler as handlerTarget } from '../../src/targets/handler.ts'
import { forkProgram } from '../support/compiled.ts'
import type { TestDatabase } from '../support/database.ts'
import { stripeDelivery, type TestInbox, test } from '../support/inbox.ts'
import { until } from '../support/until.ts'
import { idOf, type RequestHandler, requestOf, wrongSecret } from './shadow-support.ts'

/** Lets all copies of an event see that there is none yet, before any of them goes on. */
function gateFor(copies: number): (id: string) => Promise<void> {
  const waiting = new Map<string, { count: number; open: () => void; isOpen: Promise<void> }>()
  return (id) => {
    let gate = waiting.get(id)
    if (gate === undefined) {
      let open = (): void => {}
      const isOpen = new Promise<void>((resolve) => {
        open = resolve
      })
      gate = { count: 0, open, isOpen }
      waiting.set(id, gate)
    }
    gate.count += 1
    if (gate.count === copies) gate.open()
    return gate.isOpen
  }
}

/** Looks whether it has seen the event, and only then notes it. */
function naiveHandler({ query, schema }: TestDatabase, gate: (id: string) => Promise<void>): RequestHandler {
  return async (request) => {
    const id = await idOf(request)
    const seen = await query(`select id from "${schema}".seen where id = $1`, [id])
    await gate(id)
    if (seen.length > 0) return new Response('known')
    await query(`insert into "${schema}".payments (event_id) values ($1)`, [id])
    await query(`insert into "${schema}".seen (id) values ($1)`, [id])
    return new Response('done')
  }
}

/** Lets one statement decide. */
function rightHandler({ query, schema }: TestDatabase): RequestHandler {
  return async (request) => {
    const id = await idOf(request)
    await query(
      `with new as (insert into "${schema}".keys (id) values ($1) on conflict do nothing returning id)
      insert into "${schema}".payments (event_id) select id from new`,
      [id],
    )
    return new Response('done')
  }
}

async function prepared(inbox: TestInbox, { query, schema }: TestDatabase): Promise<void> {
  await inbox.migrate()
  await query(`create table "${schema}".seen (id text not null)`)
  await query(`create table "${schema}".keys (id text primary key)`)
  await query(`create table "${schema}".payments (event_id text not null)`)
}

function countEffects({ query, schema }: TestDatabase): (ids: readonly string[]) => Promise<Map<string, number>> {
  return async (ids) => {
    const rows = await query<{ event_id: string; count: number }>(
      `select event_id, count(*)::int from "${schema}".payments where event_id = any ($1) group by 1`,
      [ids],
    )
    return new Map(rows.map(({ event_id, count }) => [event_id, count]))
  }
}

function idsOf(finding: ShadowFinding | undefined): readonly string[] | undefined {
  return finding?.events.map(({ eventId }) => eventId)
}

describe('a handler beside which Oncehook stands', () => {
  test('that looks before it writes is found to double under copies, with the evidence; one that is right is not', async ({
    database,
    makeInbox,
  }) => {
    const events = Array.from({ length: 10 }, (_, number) => `evt_${number}`)
    const copies = 5
    // Two processes receive the copies.
    const [inbox, second] = [makeInbox({ environment: 'naive' }), makeInbox({ environment: 'naive' })]
    const other = makeInbox({ environment: 'right' })
    await prepared(inbox, database)
    const gate = gateFor(copies)
    const naive = [inbox, second].map(({ shadow }) => shadow.handler('stripe', naiveHandler(database, gate)))
    const right = [other.shadow.handler('stripe', rightHandler(database))]
    const sendAll = (handlers: readonly RequestHandler[]): Promise<(Response | undefined)[]> =>
      Promise.all(
        events.flatMap((id) =>
          Array.from({ length: copies }, (_, copy) =>
            Promise.resolve(handlers[copy % handlers.length]?.(requestOf(id))),
          ),
        ),
      )

    const naiveAnswers = await sendAll(naive)
    await second.shadow.flush()
    const naiveReport = await inbox.shadow.report({ source: 'stripe', countEffects: countEffects(database) })
    await database.query(`truncate "${database.schema}".payments`)
    const rightAnswers = await sendAll(right)
    const rightReport = await other.shadow.report({ source: 'stripe', countEffects: countEffects(database), limit: 3 })
    const blindReport = await other.shadow.report({ source: 'stripe' })

    for (const answer of [...naiveAnswers, ...rightAnswers]) expect(answer?.status).toBe(200)
    expect(naiveReport).toMatchObject({
      deliveries: 50,
      events: 10,
      calls: 50,
      missed: 0,
      runAgain: { count: 10, atOnce: 10 },
    })
    expect(naiveReport.doubled?.count).toBe(10)
    expect(idsOf(naiveReport.doubled)).toEqual(events)
    const [evidence] = naiveReport.doubled?.events ?? []
    expect(evidence).toMatchObject({ eventId: 'evt_0', type: 'invoice.paid', effects: copies })
    expect(evidence?.calls).toHaveLength(copies)
    expect(rightReport).toMatchObject({ events: 10, calls: 50, doubled: { count: 0 }, withoutEffect: { count: 0 } })
    expect(rightReport.runAgain).toMatchObject({ count: 10, events: { length: 3 } })
    expect(blindReport).toMatchObject({ doubled: undefined, withoutEffect: undefined, runAgain: { count: 10 } })
  })

  test('is found to lose, to be late and to believe forgeries', async ({ database, makeInbox }) => {
    const { query, schema } = database
    const inbox = makeInbox()
    await inbox.migrate()
    const calls = new Map<string, number>()
    const statuses: Readonly<Record<string, number>> = { evt_lost: 200, evt_refused: 500, evt_open: 503, evt_late: 200 }
    const handler = inbox.shadow.handler('stripe', async (request) => {
      const id = await idOf(request)
      calls.set(id, (calls.get(id) ?? 0) + 1)
      if (id === 'evt_throws') throw new Error('boom')
      if (id === 'evt_saved') return new Response('', { status: calls.get(id) === 1 ? 500 : 202 })
      return new Response('', { status: statuses[id] ?? 200 })
    })

    for (const id of [...Object.keys(statuses), 'evt_saved', 'evt_saved']) await handler(requestOf(id))
    const thrown = await handler(requestOf('evt_throws')).catch((error: Error) => error.message)
    const forged = await handler(requestOf('evt_forged', wrongSecret))
    await inbox.shadow.flush()
    await query(`update "${schema}".shadow_calls set started_at = started_at - interval '4 days', ended_at = ended_at - interval '4 days'
      where event_id in ('evt_refused', 'evt_throws')`)
    await query(
      `update "${schema}".shadow_calls set ended_at = ended_at + interval '21 seconds' where event_id = 'evt_late'`,
    )
    const effects = { evt_late: 1, evt_saved: 1 }
    const report = await inbox.shadow.report({
      source: 'stripe',
      countEffects: async () => effects,
      deadlineSeconds: 20,
    })

    expect([thrown, forged.status]).toEqual(['boom', 200])
    expect(report).toMatchObject({ deliveries: 8, events: 6, calls: 7, unended: 0, refused: 0, runAgain: { count: 0 } })
    expect(idsOf(report.withoutEffect)).toEqual(['evt_lost'])
    expect(idsOf(report.givenUp)).toEqual(['evt_refused', 'evt_throws'])
    expect(idsOf(report.open)).toEqual(['evt_open'])
    expect(idsOf(report.savedByRetries)).toEqual(['evt_saved'])
    expect(report.late).toMatchObject({ count: 1, calls: 1, deadlineSeconds: 20 })
    expect(idsOf(report.late)).toEqual(['evt_late'])
    expect(report.late.slowestSeconds).toBeGreaterThan(20)
    expect(report.acceptedForgeries).toMatchObject({
      count: 1,
      deliveries: [{ reason: 'signature_mismatch', status: 200 }],
    })
  })

  test('is not found to run twice if it was called again within the same millisecond', async ({ makeInbox }) => {
    const inbox = makeInbox()
    await inbox.migrate()
    const events = Array.from({ length: 10 }, (_, index) => `evt_${index}`)
    const called = new Set<string>()
    const handler = inbox.shadow.handler('stripe', async (request) => {
      const id = await idOf(request)
      const status = called.has(id) ? 202 : 500
      called.add(id)
      return new Response('', { status })
    })

    vi.useFakeTimers({ toFake: ['performance', 'Date'], now: Date.now() })
    try {
      for (const id of events.flatMap((id) => [id, id])) await handler(requestOf(id))
    } finally {
      vi.useRealTimers()
    }
    const report = await inbox.shadow.report({ source: 'stripe' })

    expect(report).toMatchObject({ events: 10, calls: 20, runAgain: { count: 0 } })
    expect(idsOf(report.savedByRetries)).toEqual(events)
  })

  test('leaves its events to Oncehook as processed, so that none of them runs again after the switch', async ({
    database: { schema, query },
    makeInbox,
  }) => {
    const inbox = makeInbox({ mode: 'queued', targets: { mail: handlerTarget(async () => {}) } })
    const ran: string[] = []
    inbox.on('stripe', '*', async (event, { outbox }) => {
      ran.push(event.id)
      await outbox.add('mail', { event: event.id })
    })
    await inbox.start()
    const handler = inbox.shadow.handler('stripe', async (request) => {
      return new Response('', { status: (await idOf(request)) === 'evt_failed' ? 500 : 200 })
    })
    const ids = Array.from({ length: 20 }, (_, number) => `evt_${number}`)
    await Promise.all([...ids, ...ids, 'evt_failed'].map((id) => handler(requestOf(id))))
    await inbox.shadow.flush()
    await inbox.drain()
    const before = { ran: [...ran], messages: await query(`select id from "${schema}".outbox`) }

    const outcomes = await Promise.all(ids.map((id) => inbox.receive('stripe', stripeDelivery(id))))
    await inbox.receive('stripe', stripeDelivery('evt_failed'))
    await inbox.handled('succeeded')

    expect(before).toEqual({ ran: [], messages: [] })
    expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['duplicate']))
    expect(ran).toEqual(['evt_failed'])
    expect(
      await query(
        `select origin, status, attempts, count(*)::int from "${schema}".receipts group by 1, 2, 3 order by 1`,
      ),
    ).toEqual([
      { origin: 'shadow', status: 'processed', attempts: 0, count: 20 },
      { origin: null, status: 'processed', attempts: 1, count: 1 },
    ])
    expect(await query(`select id from "${schema}".bodies`)).toHaveLength(21)
    expect(await query(`select receipt_id from "${schema}".queue`)).toEqual([])
  })

  test('whose process is killed has left behind that it began', async ({ database, makeInbox }) => {
    const { url, schema, query } = database
    const inbox = makeInbox()
    await inbox.migrate()
    const child = await forkProgram('test/recovery/shadow-child.ts', { SHADOW_DATABASE: url, SHADOW_SCHEMA: schema })
    await until(
      () => query<{ event_id: string }>(`select event_id from "${schema}".shadow_calls`),
      (rows) => rows.length === 1,
    )
    child.kill('SIGKILL')
    await once(child, 'exit')

    await query(`update "${schema}".shadow_calls set started_at = started_at - interval '16 minutes'`)
    const after = await inbox.shadow.report({ source: 'stripe' })
    await inbox.shadow.handler('stripe', async () => new Response())(requestOf('evt_killed'))
    const later = await inbox.shadow.report({ source: 'stripe' })

    expect(after).toMatchObject({ events: 1, unended: 1, open: { count: 1 }, savedByRetries: { count: 0 } })
    expect(later).toMatchObject({ calls: 2, unended: 1, open: { count: 0 }, runAgain: { count: 0 } })
    expect(idsOf(later.savedByRetries)).toEqual(['evt_killed'])
    const [first, second] = later.savedByRetries.events[0]?.calls ?? []
    expect(first?.worker).not.toBe(second?.worker)
  })
})
