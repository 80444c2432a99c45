import { once } from 'node:events'
import { connect } from 'node:net'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { describe, expect } from 'vitest'
import { createWebhookServer } from '../../src/adapters/webhook-server.ts'
import { type Delivery, toDelivery } from '../../src/delivery/delivery.ts'
import { createInbox, type Inbox } from '../../src/index.ts'
import { github } from '../../src/providers/github.ts'
import { shopify } from '../../src/providers/shopify.ts'
import { stripe } from '../../src/providers/stripe.ts'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { test as base } from '../support/database.ts'

const secret = 'whsec_0123456789abcdef0123456789abcdef'
const sources = { stripe: stripe({ secret }), github: github({ secret }), shopify: shopify({ secret }) }
type SourceName = keyof typeof sources

type Door = {
  readonly url: string
  readonly inbox: Inbox<unknown, typeof sources>
  /** Sends a delivery, with some of it replaced, and tells the status and the verdict. */
  readonly send: (
    source: SourceName,
    delivery: Delivery,
    changes?: Changes,
  ) => Promise<{ status: number; verdict: string }>
  /** Rows in every table that an event could leave something in. */
  readonly stored: () => Promise<number>
}

type Changes = {
  readonly method?: string
  readonly body?: Uint8Array
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly path?: string
}

const test = base.extend<{ readonly door: Door }>({
  door: async ({ database }, use) => {
    const { pool, schema, query } = database
    const store = postgresStore(pool, { schema })
    const inbox = createInbox({ store, sources, mode: 'queued', logger: { info() {}, warn() {}, error() {} } })
    for (const source of ['stripe', 'github', 'shopify'] as const) inbox.on(source, '*', () => undefined)
    await inbox.migrate()
    const server = createWebhookServer(inbox, { readSeconds: 0.5 })
    const { port } = await server.listen({ port: 0, host: '127.0.0.1' })
    const url = `http://127.0.0.1:${port}`

    await use({
      url,
      inbox,
      async send(source, delivery, changes = {}) {
        const { method = 'POST', body = delivery.body, headers = {}, path = `/in/${source}` } = changes
        const all = new Map([...delivery.headers].map(([name, [value = '']]) => [name, value]))
        for (const [name, value] of Object.entries(headers)) {
          if (value === undefined) all.delete(name)
          else all.set(name, value)
        }
        const sent = method === 'GET' ? {} : { body: Buffer.from(body) }
        const response = await fetch(url + path, { method, headers: [...all], ...sent })
        const answer = (await response.json()) as { readonly verdict: string }
        return { status: response.status, verdict: answer.verdict }
      },
      async stored() {
        const tables = ['receipts', 'bodies', 'queue', 'attempts', 'completions']
        const counts = await Promise.all(tables.map((table) => query(`select 1 from "${schema}".${table}`)))
        return counts.reduce((sum, rows) => sum + rows.length, 0)
      },
    })

    await server.close(0)
    await store.close()
  },
})

const at = (): Date => new Date()
const signedBody = (body: string | Uint8Array): Delivery => sources.stripe.sign({ body }, at())
const paid = (): Delivery => sources.stripe.sign({ id: 'evt_1', type: 'invoice.paid' }, at())

describe('what is not authentic', () => {
  const forgeries: readonly [string, () => Delivery, Changes][] = [
    ['a signature of another secret', () => stripe({ secret: `${secret}x` }).sign({ id: 'evt_1' }, at()), {}],
    ['no signature', paid, { headers: { 'stripe-signature': undefined } }],
    ['an empty signature', paid, { headers: { 'stripe-signature': '' } }],
    ['a truncated signature', () => truncatedSignature(paid()), {}],
    ['a signature of ten minutes ago', () => sources.stripe.sign({ id: 'evt_1' }, new Date(Date.now() - 600_000)), {}],
    ['a signature from the future', () => sources.stripe.sign({ id: 'evt_1' }, new Date(Date.now() + 600_000)), {}],
    ['a timestamp that is no number', paid, { headers: { 'stripe-signature': `t=now,v1=${'0'.repeat(64)}` } }],
    ['an empty body under a good signature', paid, { body: Buffer.alloc(0) }],
    ['a truncated body', () => ({ ...paid(), body: paid().body.slice(0, -1) }), {}],
  ]

  describe('is answered 401 and leaves nothing', () => {
    test.for(forgeries)('%s', async ([, delivery, changes], { door }) => {
      expect(await door.send('stripe', delivery(), changes)).toEqual({ status: 401, verdict: 'forged' })
      expect(await door.stored()).toBe(0)
    })
  })

  test('is refused when the signature header is sent twice', async ({ door }) => {
    const delivery = paid()
    const signature = delivery.headers.get('stripe-signature')?.[0] ?? ''

    const answer = await raw(door.url, [
      'POST /in/stripe HTTP/1.1',
      'host: localhost',
      'connection: close',
      `stripe-signature: ${signature}`,
      `stripe-signature: ${signature}`,
      `content-length: ${delivery.body.byteLength}`,
      '',
      Buffer.from(delivery.body).toString('latin1'),
    ])

    expect(answer).toMatch(/^HTTP\/1\.1 401/)
    expect(await door.stored()).toBe(0)
  })
})

describe('a signed body that cannot be an event', () => {
  const bodies: readonly [string, string | Uint8Array][] = [
    ['nothing at all', ''],
    ['no JSON', 'hello'],
    ['half of a JSON document', '{"id":"evt_1","type":"invoice.pa'],
    [
      'invalid UTF-8',
      Buffer.concat([Buffer.from('{"id":"evt_1","type":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]),
    ],
    ['a byte order mark', '\ufeff{"id":"evt_1","type":"invoice.paid"}'],
    ['JSON a million levels deep', '['.repeat(1_000_000)],
    ['no id', '{"type":"invoice.paid"}'],
    ['an id that is null', '{"id":null,"type":"invoice.paid"}'],
    ['an id that is an object', '{"id":{"a":1},"type":"invoice.paid"}'],
    ['an id that is a list', '{"id":["evt_1"],"type":"invoice.paid"}'],
    ['an id that is empty', '{"id":"","type":"invoice.paid"}'],
    ['an id that is a fraction', '{"id":1.5,"type":"invoice.paid"}'],
    ['an id that is true', '{"id":true,"type":"invoice.paid"}'],
    ['a list instead of an object', '[]'],
    ['null', 'null'],
  ]

  describe('is answered 400 and leaves nothing', () => {
    test.for(bodies)('%s', async ([, body], { door }) => {
      expect(await door.send('stripe', signedBody(body))).toEqual({ status: 400, verdict: 'malformed' })
      expect(await door.stored()).toBe(0)
    })
  })
})

describe('a request that is not a delivery', () => {
  test('to an unknown source is answered 404', async ({ door }) => {
    for (const path of ['/in/unknown', '/in/constructor', '/in/__proto__', '/in/%00', '/in/%E0%A4%A', '/']) {
      expect((await door.send('stripe', paid(), { path })).status).toBe(404)
    }
    expect(await door.stored()).toBe(0)
  })

  test('with another method is answered 405', async ({ door }) => {
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
      expect(await door.send('stripe', paid(), { method })).toEqual({ status: 405, verdict: 'method_not_allowed' })
    }
    expect(await door.stored()).toBe(0)
  })

  test('that is too large is answered 413 before it is read', async ({ door }) => {
    const announced = await raw(door.url, [
      'POST /in/stripe HTTP/1.1',
      'host: localhost',
      'content-length: 1000000000',
      '',
      '',
    ])
    const streamed = await door.send('stripe', signedBody(Buffer.alloc(8 << 20, 'a')))

    expect(announced).toMatch(/^HTTP\/1\.1 413/)
    expect(streamed).toEqual({ status: 413, verdict: 'too_large' })
    expect(await door.stored()).toBe(0)
  })

  test('whose body never ends is answered 408', async ({ door }) => {
    const answer = await raw(door.url, [
      'POST /in/stripe HTTP/1.1',
      'host: localhost',
      'content-length: 100',
      '',
      '{"id":',
    ])

    expect(answer).toMatch(/^HTTP\/1\.1 408/)
    expect(await door.stored()).toBe(0)
  })

  test('that breaks off leaves nothing, and the next one is served', async ({ door }) => {
    const socket = connect(Number(new URL(door.url).port), '127.0.0.1')
    await once(socket, 'connect')
    socket.write('POST /in/stripe HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n{"id":')
    socket.destroy()
    await once(socket, 'close')

    expect((await door.send('stripe', paid())).status).toBe(202)
    expect(await door.inbox.receipts.find()).toHaveLength(1)
  })

  test('that is large waits for its turn, and is told to come again if that does not come', async ({
    door,
    database,
  }) => {
    const { pool, schema, query } = database
    const bytes = 1_000_000
    const deliveries = Array.from({ length: 40 }, (_, index) => {
      const event = { id: `evt_large_${index}`, type: 'invoice.paid', padding: 'x'.repeat(bytes) }
      return sources.stripe.sign({ body: JSON.stringify(event) }, at())
    })
    const fitting = Math.floor((32 * 1024 * 1024) / (deliveries[0]?.body.byteLength ?? 0))
    const blocker = await pool.connect()
    await blocker.query(`begin; lock table "${schema}".receipts in access exclusive mode`)

    let refused = 0
    const answers = deliveries.map(async (delivery) => {
      const answer = await door.send('stripe', delivery)
      if (answer.status === 503 && ++refused === deliveries.length - fitting) await blocker.query('rollback')
      return answer.status
    })
    const statuses = await Promise.all(answers)
    blocker.release()

    expect(statuses.filter((status) => status === 202)).toHaveLength(fitting)
    expect(statuses.filter((status) => status === 503)).toHaveLength(deliveries.length - fitting)
    expect(await query(`select 1 from "${schema}".bodies`)).toHaveLength(fitting)
  })

  test('with a compressed bomb is answered 415, whatever the encoding', async ({ door }) => {
    const bomb = Buffer.alloc(64 << 20)
    const packed = [
      ['gzip', gzipSync(bomb)],
      ['br', brotliCompressSync(bomb)],
      ['gzip, gzip', gzipSync(gzipSync(bomb))],
    ] as const

    for (const [encoding, body] of packed) {
      const answer = await door.send('stripe', paid(), { body, headers: { 'content-encoding': encoding } })
      expect(answer).toEqual({ status: 415, verdict: 'unsupported_encoding' })
    }
    expect(await door.stored()).toBe(0)
  })
})

describe('unusual bytes in a signed delivery', () => {
  const unusual: readonly [string, string][] = [
    ['an escaped NUL in a string', '{"id":"evt_1","type":"a","note":"x\\u0000y"}'],
    ['a lone surrogate in a string', '{"id":"evt_1","type":"a","note":"\\ud800"}'],
    ['numbers beyond 2^53', '{"id":"evt_1","type":"a","big":12345678901234567890,"small":1.10,"huge":1e400}'],
    ['a name twice', '{"id":"evt_1","type":"a","x":1,"x":2}'],
    ['__proto__', '{"id":"evt_1","type":"a","__proto__":{"polluted":true}}'],
    ['spaces and line breaks', '\n{ "id" : "evt_1",\r\n\t"type" : "a" }\n'],
  ]

  describe('are kept as they came', () => {
    test.for(unusual)('%s', async ([, body], { door }) => {
      expect((await door.send('stripe', signedBody(body))).status).toBe(202)

      const [receipt] = await door.inbox.receipts.find()
      const stored = await door.inbox.receipts.body(receipt?.id ?? '')
      expect(Buffer.from(stored?.content ?? '').toString('utf8')).toBe(body)
      expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
    })
  })

  const ids: readonly [string, string][] = [
    ['NUL', 'evt_\\u0000'],
    ['a lone surrogate', 'evt_\\ud800'],
    ['ten thousand characters', 'x'.repeat(10_000)],
  ]

  describe('in an id make one receipt, and the copy is a duplicate', () => {
    test.for(ids)('%s', async ([, id], { door }) => {
      const delivery = signedBody(`{"id":"${id}","type":"a"}`)
      const other = signedBody(`{"id":"${id}2","type":"a"}`)

      const statuses = [
        await door.send('stripe', delivery),
        await door.send('stripe', delivery),
        await door.send('stripe', other),
      ]

      expect(statuses.map(({ status }) => status)).toEqual([202, 200, 202])
      const receipts = await door.inbox.receipts.find()
      expect(receipts).toHaveLength(2)
      expect(receipts.every(({ eventId }) => Buffer.byteLength(eventId) <= 512)).toBe(true)
    })
  })

  test('reach the handler as bytes when they are no JSON, and the error says so', async ({ door }) => {
    let bytes: Uint8Array | undefined
    const seen: unknown[] = []
    door.inbox.on('github', 'push', (event) => {
      bytes = event.body
      try {
        seen.push(event.payload)
      } catch (error) {
        seen.push(error)
      }
    })
    const body = Buffer.from([0x7b, 0xff, 0x00])

    await door.send('github', sources.github.sign({ type: 'push', body }, at()))
    await door.inbox.drain()

    expect(Buffer.from(bytes ?? [])).toEqual(body)
    expect(seen).toMatchObject([{ code: 'ONCEHOOK_PAYLOAD_NOT_JSON' }])
  })
})

describe('the same id with another body', () => {
  test('is a duplicate that is flagged as mutated', async ({ door, database }) => {
    await door.send('stripe', signedBody('{"id":"evt_1","type":"a","amount":1}'))
    const second = await door.send('stripe', signedBody('{"id":"evt_1","type":"a","amount":2}'))

    expect(second).toEqual({ status: 200, verdict: 'duplicate' })
    const [receipt] = await door.inbox.receipts.find()
    const timeline = await door.inbox.receipts.timeline(receipt?.id ?? '')
    expect(timeline.find(({ kind }) => kind === 'delivery')).toMatchObject({ delivery: { kind: 'mutated' } })
    expect(await database.query(`select deliveries from "${database.schema}".receipts`)).toEqual([{ deliveries: 2 }])
  })
})

function truncatedSignature(delivery: Delivery): Delivery {
  const signature = delivery.headers.get('stripe-signature')?.[0] ?? ''
  return toDelivery({ ...delivery, headers: { 'stripe-signature': signature.slice(0, -2) } })
}

/** Sends lines over a bare socket and reads until the server closes or has answered. */
async function raw(url: string, lines: readonly string[]): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write(lines.join('\r\n'), 'latin1')
  let answer = ''
  for await (const chunk of socket) {
    answer += String(chunk)
    if (answer.includes('\r\n\r\n')) break
  }
  socket.destroy()
  return answer
}
