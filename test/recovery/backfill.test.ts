import { randomBytes } from 'node:crypto'
import { describe, expect } from 'vitest'
import { createInbox, type EventHistory, type HistoricEvent, type Provider } from '../../src/index.ts'
import { github } from '../../src/providers/github.ts'
import { shopify } from '../../src/providers/shopify.ts'
import { type PgTransaction, postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { codeOf } from '../store/store-under-test.ts'
import { stripeDelivery, test } from '../support/inbox.ts'
import { until } from '../support/until.ts'

const from = new Date('2026-11-01T00:00:00Z')
const to = new Date('2026-11-02T00:00:00Z')

/** A provider that has sent these, two on each page. */
function historyOf(...events: readonly (HistoricEvent | string)[]): EventHistory & { readonly fetched: string[] } {
  const fetched: string[] = []
  const all = events.map((event) => (typeof event === 'string' ? stripeEvent(event) : event))
  return {
    name: 'the events of a test',
    daysKept: undefined,
    fetched,
    async list({ cursor }) {
      const start = Number(cursor ?? 0)
      const page = all.slice(start, start + 2).map((event) => ({
        ...event,
        fetch: (signal: AbortSignal) => {
          fetched.push(event.id)
          return event.fetch(signal)
        },
      }))
      return { events: page, next: start + 2 < all.length ? String(start + 2) : undefined }
    },
  }
}

function stripeEvent(id: string, type = 'invoice.paid'): HistoricEvent {
  const body = JSON.stringify({ id, type, object: 'event', created: 1_793_500_000, data: { object: { id: 'in_1' } } })
  return { id, type, occurredAt: from, fetch: async () => ({ body }) }
}

describe('a search for gaps', () => {
  test('names what the ledger lacks, and changes nothing', async ({ makeInbox }) => {
    const inbox = makeInbox({ source: { types: ['invoice.*', 'charge.*'] } })
    inbox.on('stripe', 'invoice.*', () => {})
    await inbox.receive('stripe', stripeDelivery('evt_2'))
    const history = historyOf(
      'evt_1',
      'evt_2',
      'evt_3',
      stripeEvent('evt_4', 'charge.failed'),
      stripeEvent('evt_5', 'customer.created'),
    )

    const report = await inbox.gaps({ source: 'stripe', history, from, to, limit: 1 })

    expect(report).toEqual({
      source: 'stripe',
      history: 'the events of a test',
      from,
      to,
      blindBefore: undefined,
      listed: 5,
      known: 1,
      missing: 2,
      notAllowed: 1,
      notHandled: 1,
      missingByType: { 'invoice.paid': 2 },
      events: [{ eventId: 'evt_1', type: 'invoice.paid', occurredAt: from }],
    })
    expect(history.fetched).toEqual([])
    expect(await inbox.receipts.find()).toHaveLength(1)
  })

  test('says from when on the provider tells anything', async ({ makeInbox }) => {
    const inbox = makeInbox({ clock: { now: () => to, wait: async () => {} } })
    const history = { ...historyOf(), daysKept: 0.5 }

    const { blindBefore } = await inbox.gaps({ source: 'stripe', history, from })

    expect(blindBefore).toEqual(new Date('2026-11-01T12:00:00Z'))
  })

  test('names every mistake at once', async ({ makeInbox }) => {
    const inbox = makeInbox()
    const complaint = (options: object): Promise<string> =>
      inbox.gaps({ source: 'stripe', from, to, ...options }).catch((error: Error) => error.message) as Promise<string>

    expect(await complaint({})).toContain('the source stripe has no history')
    expect(await complaint({ source: 'strpe', from: to, to: from, types: [] })).toMatch(
      /no source "strpe"[^]*must be before[^]*types is empty/,
    )
  })
})

describe('a back-fill', () => {
  test('puts what is missing into the queue, in order, for the same handlers, and marks it', async ({
    database,
    makeInbox,
  }) => {
    const history = historyOf('evt_1', 'evt_2', 'evt_3')
    const inbox = makeInbox({ mode: 'queued', source: { history } })
    const ran: unknown[] = []
    inbox.on('stripe', 'invoice.paid', (event) => void ran.push([event.id, event.objectId, event.payload.type]), {
      order: 'object',
    })
    await inbox.receive('stripe', stripeDelivery('evt_2'))
    await inbox.drain()
    ran.splice(0)

    const report = await inbox.backfill({ source: 'stripe', from, to })
    const queued = await database.query(`select order_key from "${database.schema}".queue`)
    await inbox.drain()
    const late = await inbox.receive('stripe', stripeDelivery('evt_1'))
    const again = await inbox.backfill({ source: 'stripe', from, to })

    expect(report).toMatchObject({ isFinished: true, listed: 3, known: 1, recorded: 2, failed: 0, how: 'pull' })
    expect(queued).toEqual([{ order_key: 'in_1' }, { order_key: 'in_1' }])
    expect(ran).toEqual([
      ['evt_1', 'in_1', 'invoice.paid'],
      ['evt_3', 'in_1', 'invoice.paid'],
    ])
    expect(late).toMatchObject({ kind: 'duplicate', isMutated: false })
    expect(again).toMatchObject({ recorded: 0, known: 3 })
    const [newest] = await inbox.receipts.find({ origin: 'backfill' })
    expect(newest).toMatchObject({ eventId: 'evt_3', status: 'processed', origin: 'backfill', secretIndex: undefined })
    expect((await inbox.receipts.timeline(newest?.id ?? ''))[0]).toMatchObject({ receipt: { origin: 'backfill' } })
  })

  test('takes no type that the source does not allow, or that nobody handles unless it is asked for', async ({
    makeInbox,
  }) => {
    const history = historyOf(stripeEvent('evt_1', 'a'), stripeEvent('evt_2', 'b'), stripeEvent('evt_3', 'c'))
    const inbox = makeInbox({ source: { history, types: ['a', 'b'] } })
    inbox.on('stripe', ['a', 'c'], () => {})

    const handled = await inbox.backfill({ source: 'stripe', from, to })
    const asked = await inbox.backfill({ source: 'stripe', from, to, types: ['b', 'c'] })

    expect(handled).toMatchObject({ recorded: 1, notHandled: 1, notAllowed: 1 })
    expect(asked).toMatchObject({ recorded: 1, notHandled: 1, notAllowed: 1 })
    expect((await inbox.receipts.find()).map(({ type }) => type)).toEqual(['b', 'a'])
  })

  test('goes on where it stopped, in another process too', async ({ makeInbox }) => {
    const failing = { ...stripeEvent('evt_4'), fetch: () => Promise.reject(new Error('away')) }
    const first = makeInbox({ source: { history: historyOf('evt_1', 'evt_2', 'evt_3', failing, 'evt_5') } })
    const history = historyOf('evt_1', 'evt_2', 'evt_3', 'evt_4', 'evt_5')
    const second = makeInbox({ source: { history } })
    for (const inbox of [first, second]) inbox.on('stripe', '*', () => {})

    const interrupted = await first.backfill({ source: 'stripe', from, to }).catch((error: Error) => error.message)
    const kept = await first.receipts.find()
    const report = await second.backfill({ source: 'stripe', continue: true })

    expect(interrupted).toBe('away')
    expect(kept.map(({ eventId }) => eventId)).toEqual(['evt_2', 'evt_1'])
    expect(history.fetched).toEqual(['evt_3', 'evt_4', 'evt_5'])
    expect(report).toMatchObject({ runId: '1', listed: 5, recorded: 5, isFinished: true, from, to })
    expect(
      await second.backfill({ source: 'stripe', continue: true }).catch((error: Error) => error.message),
    ).toContain('there is no unfinished one of the source stripe')
  })

  test('notes what the provider no longer has, and goes on', async ({ makeInbox }) => {
    const gone = Object.assign(new Error('GitHub answered 404.'), { status: 404 })
    const lost = { ...stripeEvent('evt_1'), fetch: () => Promise.reject(gone) }
    const inbox = makeInbox({ source: { history: historyOf(lost, 'evt_2', 'evt_3') } })
    inbox.on('stripe', '*', () => {})

    const report = await inbox.backfill({ source: 'stripe', from, to })

    expect(report).toMatchObject({
      recorded: 2,
      failed: 1,
      failures: [{ eventId: 'evt_1', type: 'invoice.paid', error: 'Error: GitHub answered 404.' }],
    })
    expect((await inbox.receipts.find()).map(({ eventId }) => eventId)).toEqual(['evt_3', 'evt_2'])
  })

  test('stops at a history whose ids are not those of the source', async ({ makeInbox }) => {
    const other = { ...stripeEvent('evt_1'), id: 'delivery-1' }
    const inbox = makeInbox({ source: { history: historyOf(other) } })
    inbox.on('stripe', '*', () => {})

    expect(await codeOf(inbox.backfill({ source: 'stripe', from, to }))).toBe('ONCEHOOK_HISTORY_MISMATCH')
    expect(await inbox.receipts.find()).toEqual([])
  })

  test('does not wait for an event whose handler runs at this moment, nor records it twice', async ({
    database,
    makeInbox,
  }) => {
    const history = historyOf('evt_1', 'evt_2')
    const inbox = makeInbox({ mode: 'inline', source: { history } })
    let release = (): void => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const ran: string[] = []
    inbox.on('stripe', '*', async (event) => {
      ran.push(event.id)
      if (event.id === 'evt_1') await released
    })
    await inbox.migrate()

    const running = inbox.receive('stripe', stripeDelivery('evt_1'))
    await until(
      () => ran,
      (ids) => ids.length === 1,
    )
    const filling = inbox.backfill({ source: 'stripe', from, to })
    await until(
      () => database.query(`select event_id from "${database.schema}".receipts`),
      (rows) => rows.length === 1,
    )
    release()
    const outcome = await running
    const report = await filling
    await inbox.drain()

    expect(outcome.kind).toBe('processed')
    expect(report).toMatchObject({ recorded: 1, known: 1 })
    expect(ran).toEqual(['evt_1', 'evt_2'])
  })

  test('stores no more of a body than a webhook would', async ({ database, makeInbox }) => {
    const { query, schema } = database
    const body = JSON.stringify({ id: 'evt_1', type: 'invoice.paid', card: '4242424242424242', note: 'fragile' })
    const history = historyOf({ ...stripeEvent('evt_1'), fetch: async () => ({ body }) })
    const encryption = { keys: { k1: randomBytes(32) }, current: 'k1' }
    const inbox = makeInbox({ source: { history }, mode: 'queued', redact: ['$.card'], encryption })
    const seen: unknown[] = []
    inbox.on('stripe', '*', (event) => void seen.push(event.payload))

    await inbox.backfill({ source: 'stripe', from, to })
    const [stored] = await query<{ content: string }>(
      `select encode(content, 'escape') as content from "${schema}".bodies`,
    )
    await inbox.drain()

    expect(stored?.content).not.toMatch(/4242|fragile/)
    expect(seen).toMatchObject([{ id: 'evt_1', note: 'fragile' }])
    expect(JSON.stringify(seen)).not.toContain('4242')
  })

  test('holds back while the queue is full, unless nobody works it off', async ({ makeInbox }) => {
    let seconds = 0
    const clock = {
      now: () => new Date(),
      async wait(milliseconds: number) {
        seconds += milliseconds / 1000
        await new Promise((resolve) => setImmediate(resolve))
      },
    }
    const inbox = makeInbox({ source: { history: historyOf('evt_1', 'evt_2', 'evt_3') }, clock })
    inbox.on('stripe', '*', () => {})

    const report = await inbox.backfill({ source: 'stripe', from, to, maximumQueued: 1 })

    expect(report.recorded).toBe(3)
    expect(seconds).toBeGreaterThanOrEqual(30)
    expect(inbox.told).toContainEqual(expect.objectContaining({ message: expect.stringContaining('nobody works off') }))
  })

  test('can ask the provider to send events again instead', async ({ makeInbox }) => {
    const asked: string[] = []
    const resendable = (id: string): HistoricEvent => ({
      ...stripeEvent(id),
      redeliver: async () => void asked.push(id),
    })
    const inbox = makeInbox()
    inbox.on('stripe', '*', () => {})
    const range = { source: 'stripe', from, to, how: 'redeliver' } as const

    const report = await inbox.backfill({ ...range, history: historyOf(resendable('evt_1'), resendable('evt_2')) })
    const refused = await inbox
      .backfill({ ...range, history: historyOf('evt_3') })
      .catch((error: Error) => error.message)

    expect(asked).toEqual(['evt_1', 'evt_2'])
    expect(report).toMatchObject({ asked: 2, recorded: 0, how: 'redeliver' })
    expect(refused).toContain('cannot be asked to be sent again')
    expect(await inbox.receipts.find()).toEqual([])
  })
})

describe('sources whose ids are more than the provider’s', () => {
  test('name events by their outlines, each tenant its own', async ({ database }) => {
    const inbox = inboxOf(database, {
      github: github({ secret: () => 'a secret of the hook', tenant: ({ url }) => new URL(url).pathname.slice(1) }),
    })
    inbox.on('github', 'push', () => {})
    const headers = { 'x-github-delivery': 'guid', 'x-github-hook-id': '42', 'x-github-event': 'push' }
    const ofTenant = (tenant: string): EventHistory => {
      const outline = { url: `https://example.com/${tenant}`, headers }
      const event = {
        id: '42:guid',
        type: 'push',
        occurredAt: from,
        outline,
        fetch: async () => ({ ...outline, body: '{}' }),
      }
      return { ...historyOf(event), name: tenant }
    }

    await inbox.backfill({ source: 'github', from, to, history: ofTenant('acme') })
    const known = await inbox.gaps({ source: 'github', from, to, history: ofTenant('acme') })
    const missing = await inbox.gaps({ source: 'github', from, to, history: ofTenant('umbrella') })

    expect((await inbox.receipts.find()).map(({ eventId }) => eventId)).toEqual(['acme:42%3Aguid'])
    expect([known.missing, missing.missing]).toEqual([0, 1])
    await inbox.close()
  })
})

describe('a provider that tells of objects', () => {
  test('misses those of which no event came since they changed', async ({ database }) => {
    const source = shopify({ secret: 'a secret of the app' })
    const inbox = inboxOf(database, { shopify: source })
    inbox.on('shopify', '*', () => {})
    const changedAt = new Date('2026-11-01T10:00:00Z')
    const order = (id: string): HistoricEvent => {
      const eventId = `reconciled:${id}`
      const delivery = {
        headers: {
          'x-shopify-topic': 'orders/updated',
          'x-shopify-webhook-id': eventId,
          'x-shopify-triggered-at': changedAt.toISOString(),
        },
        body: `{"id":${id}}`,
      }
      const fetch = async (): Promise<typeof delivery> => delivery
      return {
        id: eventId,
        type: 'orders/updated',
        occurredAt: changedAt,
        outline: delivery,
        object: { id, since: changedAt },
        fetch,
      }
    }
    const webhook = (id: string, at: string): unknown =>
      inbox.receive('shopify', source.sign({ payload: { id: Number(id) }, type: 'orders/paid' }, new Date(at)))
    await webhook('1', '2026-11-01T10:00:05Z')
    await webhook('2', '2026-11-01T09:00:00Z')
    const history = historyOf(order('1'), order('2'), order('3'))

    const report = await inbox.gaps({ source: 'shopify', from, to, history })
    await inbox.backfill({ source: 'shopify', from, to, history })
    const after = await inbox.gaps({ source: 'shopify', from, to, history })

    expect(report.events.map(({ eventId }) => eventId)).toEqual(['reconciled:2', 'reconciled:3'])
    expect(after).toMatchObject({ known: 3, missing: 0 })
    await inbox.close()
  })
})

function inboxOf(
  { pool, schema }: { readonly pool: Parameters<typeof postgresStore>[0]; readonly schema: string },
  sources: Readonly<Record<string, Provider>>,
): ReturnType<typeof createInbox<PgTransaction, Readonly<Record<string, Provider>>>> {
  return createInbox({ store: postgresStore(pool, { schema }), sources, mode: 'queued', logger: quiet })
}

const quiet = { info: () => {}, warn: () => {}, error: () => {} }
