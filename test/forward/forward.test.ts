import { createHmac, randomBytes } from 'node:crypto'
import { describe, expect } from 'vitest'
import { type ForwardOptions, forward } from '../../src/forward/forward.ts'
import { createInbox, type DeliveryInput } from '../../src/index.ts'
import { stripe } from '../../src/providers/stripe.ts'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { stripeDelivery } from '../support/inbox.ts'
import { until } from '../support/until.ts'
import type { HttpReceiver, ReceivedRequest } from '../targets/http-receiver.ts'
import { forwardSecret, test } from './test-with-destination.ts'

/** The secret of the inbox of these tests. */
const source = stripe({ secret: 'whsec_0123456789abcdef0123456789abcdef' })
const here = { allowPrivateAddresses: true } as const

describe('a forwarded event', () => {
  test('arrives as the exact bytes and headers, with its key, its receipt and our signature', async ({
    makeInbox,
    destination,
    database,
  }) => {
    const inbox = makeInbox()
    const { url, requests } = await destination()
    inbox.on('stripe', '*', forward({ ...here, to: `${url}/hooks?from=us`, secret: forwardSecret }))
    const body = oddBody('evt_1')

    await inbox.receive('stripe', oddDelivery(body))
    await inbox.drain()

    const [request] = requests
    const [receipt] = await inbox.receipts.find({})
    expect(requests).toHaveLength(1)
    expect(request).toMatchObject({ method: 'POST', path: '/hooks?from=us', body })
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-original': 'kept',
      'oncehook-source': 'stripe',
      'oncehook-receipt-id': receipt?.id,
      'oncehook-attempt': '1',
      'oncehook-event-id': 'evt_1',
      'oncehook-event-type': 'invoice%2Epaid',
      'content-length': String(Buffer.byteLength(body)),
    })
    // Of the connection they came by, and what only we may say.
    expect(request?.headers).not.toHaveProperty('x-of-the-connection')
    expect(request?.headers).not.toHaveProperty('oncehook-made-up')
    expect(request?.headers['host']).toBe(new URL(url).host)
    expect(isSigned(request)).toBe(true)
    expect(receipt).toMatchObject({ status: 'processed', attempts: 1 })
    expect(await database.query(`select * from "${database.schema}".queue`)).toEqual([])
  })

  test('is signed in the way of whoever asks for it, anew for each attempt, and its answers are told', async ({
    makeInbox,
    destination,
  }) => {
    const inbox = makeInbox()
    const answers = [500, 204]
    // An endpoint may repeat what it was sent.
    const { url, requests } = await destination((response, { headers }) =>
      response.writeHead(answers.shift() ?? 500).end(`no: ${String(headers['x-proof'])}`),
    )
    const told: (readonly [string, number | undefined])[] = []
    inbox.subscribe((event) => event.kind === 'handler' && told.push([event.outcome, event.answerStatus]))
    let count = 0
    const sign: NonNullable<ForwardOptions['sign']> = ({ event, headers }) => {
      count += 1
      return { 'x-proof': `proof-${count}-of-${event.id}-${headers['oncehook-attempt']}`, 'webhook-id': event.id }
    }
    inbox.on('stripe', '*', forward({ ...here, to: url, secret: forwardSecret, sign }))
    await inbox.receive('stripe', stripeDelivery('evt_1'))

    await inbox.drain()

    const [receipt] = await inbox.receipts.find({})
    const timeline = JSON.stringify(await inbox.receipts.timeline(receipt?.id ?? ''))
    expect(requests.map(({ headers }) => headers['x-proof'])).toEqual(['proof-1-of-evt_1-1', 'proof-2-of-evt_1-2'])
    expect(requests.map(({ headers }) => headers['webhook-id'])).toEqual(['evt_1', 'evt_1'])
    expect(told).toEqual([
      ['retrying', 500],
      ['succeeded', 204],
    ])
    expect(receipt).toMatchObject({ status: 'processed' })
    expect(timeline).toContain('answered 500: no: [hidden]')
    expect(timeline).not.toContain('proof-1')
  })

  test('is sent again with the same key until 2xx, and only that completes it', async ({ makeInbox, destination }) => {
    const inbox = makeInbox()
    const answers = [500, 302, 404, 204]
    const { url, requests } = await destination((response) => response.writeHead(answers.shift() ?? 500).end())
    inbox.on('stripe', '*', forward({ ...here, to: url }))
    await inbox.receive('stripe', stripeDelivery('evt_1'))

    await inbox.drain()
    await inbox.replay({ status: 'processed' }, { by: 'test', why: 'once more' })
    answers.push(200)
    await inbox.drain()

    const [receipt] = await inbox.receipts.find({})
    const keys = new Set(requests.map(({ headers }) => headers['idempotency-key']))
    expect(requests.map(({ headers }) => headers['oncehook-attempt'])).toEqual(['1', '2', '3', '4', '1'])
    expect(keys.size).toBe(1)
    expect(receipt).toMatchObject({ status: 'processed' })
  })

  test('is a dead letter after 410, and waits as long as it is told to', async ({ makeInbox, destination }) => {
    const inbox = makeInbox()
    const { url, requests } = await destination((response, { headers }) =>
      headers['oncehook-event-id'] === 'evt_gone'
        ? response.writeHead(410).end('no longer here')
        : response.writeHead(400, { 'retry-after': '7200' }).end(),
    )
    inbox.on('stripe', '*', forward({ ...here, to: url }))
    for (const id of ['evt_gone', 'evt_later']) await inbox.receive('stripe', stripeDelivery(id))

    await inbox.drain()

    const receipts = await inbox.receipts.find({})
    expect(requests).toHaveLength(2)
    expect(receipts.map(({ eventId, status }) => [eventId, status])).toEqual([
      ['evt_later', 'retrying'],
      ['evt_gone', 'failed'],
    ])
    expect(receipts[1]?.lastError).toContain('answered 410: no longer here')
    const [told] = await inbox.handled('retrying')
    expect(told?.nextAttemptInSeconds).toBeGreaterThanOrEqual(7200)
  })

  test('is not sent to a private address that nobody allowed, whatever its name says', async ({
    makeInbox,
    destination,
  }) => {
    const inbox = makeInbox({ retry: { maxAttempts: 1 } })
    const { port, requests } = await destination()
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
    inbox.on('stripe', '*', forward({ to: `http://hooks.example.com:${port}`, allowInsecure: true, resolve }))
    await inbox.receive('stripe', stripeDelivery('evt_1'))

    await inbox.drain()

    expect(requests).toEqual([])
    expect(await inbox.receipts.find({})).toMatchObject([
      { status: 'failed', lastError: expect.stringContaining('private or reserved address') },
    ])
  })

  test('is encrypted where it waits, and whole where it arrives', async ({ makeInbox, destination, database }) => {
    const encryption = { keys: { one: randomBytes(32).toString('base64') }, current: 'one' }
    const inbox = makeInbox({ encryption })
    const { url, requests } = await destination()
    inbox.on('stripe', '*', forward({ ...here, to: url, secret: forwardSecret }))
    const body = oddBody('evt_1')

    await inbox.receive('stripe', oddDelivery(body))
    const [stored] = await database.query<{ content: Buffer }>(`select content from "${database.schema}".bodies`)
    await inbox.drain()

    expect(stored?.content.includes('invoice.paid')).toBe(false)
    expect(requests.map((request) => request.body)).toEqual([body])
  })

  test('lacks what was never stored of it, and says so', async ({ makeInbox, destination }) => {
    const inbox = makeInbox({ redact: ['data.object.note'] })
    const { url, requests } = await destination()
    inbox.on('stripe', '*', forward({ ...here, to: url }))

    await inbox.receive('stripe', oddDelivery(oddBody('evt_1')))
    await inbox.drain()

    expect(requests[0]?.headers['oncehook-redacted']).toBe('data%2Eobject%2Enote')
    expect(requests[0]?.body).not.toContain('caf')
    // What was not redacted is byte for byte as it came.
    expect(requests[0]?.body).toMatch(/^\{ "id":"evt_1",\t"type" : "invoice\.paid", .*12345678901234567890/)
  })
})

describe('a destination', () => {
  test('that takes its time holds no connection, and nobody else up', async ({ destination, database }) => {
    const held: (() => void)[] = []
    const slow = await destination((response) => held.push(() => response.end()))
    const quick = await destination()
    const store = postgresStore(database.url, { schema: database.schema, maximumConnections: 4 })
    const logger = { info() {}, warn() {}, error() {} }
    const inbox = createInbox({ store, logger, sources: { slow: source, quick: source } })
    inbox.on('slow', '*', forward({ ...here, to: slow.url, concurrency: 3 }))
    inbox.on('quick', '*', forward({ ...here, to: quick.url }))
    for (let number = 1; number <= 9; number += 1) await inbox.receive('slow', stripeDelivery(`evt_${number}`))
    await inbox.start()
    await until(
      () => held.length,
      (count) => count === 3,
    )

    await Promise.all([1, 2, 3].map((number) => inbox.receive('quick', stripeDelivery(`evt_${number}`))))
    await until(
      () => quick.requests.length,
      (count) => count === 3,
    )

    await until(
      () =>
        database.query(
          `select from pg_stat_activity where state like 'idle in transaction%' and query like '%${database.schema}%'`,
        ),
      (idle) => idle.length === 0,
    )
    expect(slow.requests).toHaveLength(3)
    // What was sent when the process stops comes again, with the same key.
    await inbox.stop({ graceSeconds: 0 })
    expect(await inbox.receipts.find({ source: 'slow', status: 'processed' })).toEqual([])
    await inbox.start()
    await until(
      () => {
        for (const answer of held.splice(0)) answer()
        return inbox.receipts.find({ source: 'slow', status: 'processed', limit: 100 })
      },
      (done) => done.length === 9,
    )
    expect(keysOf(slow).size).toBe(9)
    await inbox.close()
  })

  test('that fails is left alone, and its events lose no attempts by that', async ({
    makeInbox,
    destination,
    database,
  }) => {
    const inbox = makeInbox({ retry: { maxAttempts: 3, firstSeconds: 0 } })
    const rests: (() => void)[] = []
    const clock = { now: () => new Date(), wait: () => new Promise<void>((resolve) => rests.push(resolve)) }
    let isWell = false
    const { url, requests } = await destination((response) => response.writeHead(isWell ? 200 : 503).end())
    inbox.on('stripe', '*', forward({ ...here, to: url, concurrency: 2, circuit: { failures: 3 }, clock }))
    for (let number = 1; number <= 15; number += 1) await inbox.receive('stripe', stripeDelivery(`evt_${number}`))

    await inbox.drain()
    const waiting = await inbox.receipts.find({ limit: 100 })
    // Three to see that it is ill, and one more that was under way by then.
    expect(requests.length).toBeLessThanOrEqual(4)
    expect(waiting.filter(({ status }) => status === 'failed')).toEqual([])
    expect(waiting.reduce((sum, { attempts }) => sum + attempts, 0)).toBe(requests.length)

    isWell = true
    await database.query(`update "${database.schema}".queue set due_at = now()`)
    for (const end of rests) end()
    await inbox.start()
    await until(
      () => inbox.receipts.find({ status: 'processed', limit: 100 }),
      (receipts) => receipts.length === 15,
    )
  })

  test('gets no more in a second than it is to get', async ({ makeInbox, destination }) => {
    const inbox = makeInbox()
    const waits: number[] = []
    let now = 0
    const clock = {
      now: () => new Date(now),
      wait: async (milliseconds: number) => {
        waits.push(milliseconds)
        now += milliseconds
      },
    }
    const { url, requests } = await destination()
    inbox.on('stripe', '*', forward({ ...here, to: url, ratePerSecond: 4, concurrency: 1, clock }))
    for (const id of ['evt_1', 'evt_2', 'evt_3']) await inbox.receive('stripe', stripeDelivery(id))

    await inbox.drain()

    expect(requests).toHaveLength(3)
    expect(waits).toEqual([250, 250])
  })
})

describe('a handler that forwards', () => {
  test('runs beside others, each completed for itself', async ({ makeInbox, destination, database }) => {
    const inbox = makeInbox()
    let isWell = false
    const { url, requests } = await destination((response) => response.writeHead(isWell ? 200 : 500).end())
    await database.query(`create table "${database.schema}".seen (id text)`)
    inbox.on('stripe', '*', forward({ ...here, to: url }), { maxAttempts: 3 })
    inbox.on(
      'stripe',
      '*',
      (event, { tx }) => tx.query(`insert into "${database.schema}".seen values ($1)`, [event.id]),
      { mode: 'queued' },
    )
    await inbox.receive('stripe', stripeDelivery('evt_1'))

    await inbox.drain()
    isWell = true
    const preview = await inbox.replay({ status: 'failed' }, { preview: true })
    const sentBefore = requests.length
    await inbox.replay({ status: 'failed' }, { by: 'test', why: 'it is well' })
    await inbox.drain()

    expect(preview).toMatchObject([{ handlers: [{ handler: 'stripe/*', would: 'succeed' }] }])
    expect(sentBefore).toBe(3)
    expect(requests).toHaveLength(4)
    expect(await database.query(`select id from "${database.schema}".seen`)).toEqual([{ id: 'evt_1' }])
    expect(await inbox.receipts.find({})).toMatchObject([{ status: 'processed' }])
  })

  test.each([
    [{ to: 'http://127.0.0.1:8000', allowInsecure: true }, 'to names a private or reserved address'],
    [{ to: 'http://example.com' }, 'to begins with http:'],
    [{ to: 'example.com/hooks' }, 'to is not a URL'],
    [{ to: 'https://example.com', secret: undefined as never }, 'secret 1 is missing'],
    [{ to: 'https://example.com', ratePerSecond: 0 }, 'ratePerSecond is 0'],
    [{ to: 'https://example.com', circuit: { failures: 0 } }, 'circuit.failures is 0'],
    [{ to: 'https://example.com', headers: { 'Oncehook-Attempt': '7' } }, 'is set by the target itself'],
  ])('refuses %j', (options, mistake) => {
    expect(() => forward(options)).toThrow(mistake)
  })

  test('refuses what needs a transaction', ({ makeInbox }) => {
    const inbox = makeInbox({ source: { sameChange: 'object' } })
    const run = forward({ to: 'https://example.com' })

    expect(() => inbox.on('stripe', '*', run, { mode: 'inline', commit: 'shared' })).toThrow(
      /it forwards, which a worker does[\s\S]*no commit to share[\s\S]*sameChange/,
    )
  })
})

/** No parser and printer would give these bytes back: spaces, escapes, digits beyond 2^53. */
function oddBody(id: string): string {
  return `{ "id":"${id}",\t"type" : "invoice.paid", "n":12345678901234567890, "data":{"object":{"id":"in_1","note":"caf\\u00e9 ü"}}}  `
}

function oddDelivery(body: string): DeliveryInput {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'x-original': 'kept',
    'oncehook-made-up': 'by somebody else',
    'webhook-id': 'somebody else’s'.normalize('NFKD').replaceAll(/[^ -~]/g, ''),
  }
  return source.sign({ body, headers }, new Date())
}

function isSigned(request: ReceivedRequest | undefined): boolean {
  if (request === undefined) return false
  const { headers, body } = request
  const key = Buffer.from(forwardSecret.slice('whsec_'.length), 'base64')
  const content = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`
  const expected = `v1,${createHmac('sha256', key).update(content).digest('base64')}`
  return headers['webhook-id'] === headers['idempotency-key'] && headers['webhook-signature'] === expected
}

function keysOf({ requests }: HttpReceiver): ReadonlySet<unknown> {
  return new Set(requests.map(({ headers }) => headers['idempotency-key']))
}
