import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { createWebhookServer } from '../../src/adapters/webhook-server.ts'
import { type Admin, createAdmin } from '../../src/admin/create-admin.ts'
import { type CaptureOptions, type Captures, createCaptures } from '../../src/capture/create-captures.ts'
import { createInbox, type Inbox, type Provider } from '../../src/index.ts'
import { github } from '../../src/providers/github.ts'
import { shopify } from '../../src/providers/shopify.ts'
import { slack } from '../../src/providers/slack.ts'
import { stripe } from '../../src/providers/stripe.ts'
import { twilio } from '../../src/providers/twilio.ts'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { test as base, borrowTestDatabase, type TestDatabase } from '../support/database.ts'
import { until } from '../support/until.ts'

const sources = {
  stripe: stripe({ secret: 'whsec_0123456789abcdef0123456789abcdef' }),
  github: github({ secret: 'a-secret-of-github-with-enough-letters' }),
  shopify: shopify({ secret: 'shpss_0123456789abcdef0123456789abcdef' }),
  slack: slack({ secret: '0123456789abcdef0123456789abcdef' }),
  twilio: twilio({ secret: '0123456789abcdef0123456789abcdef' }),
} satisfies Record<string, Provider>

type Gateway = {
  readonly url: string
  readonly captures: Captures
  readonly inbox: Inbox<unknown>
  readonly admin: Admin
  readonly database: TestDatabase
  readonly casesFolder: string
  /** Sends a request to the capture endpoint `box`, and answers with the id of the capture. */
  readonly capture: (provider: Provider, event: Parameters<Provider['sign']>[0]) => Promise<string>
  readonly call: (
    role: 'viewer' | 'operator',
    method: string,
    path: string,
    body?: unknown,
  ) => Promise<{ status: number; body: ReturnType<typeof JSON.parse> }>
}

type Target = { readonly url: string; readonly seen: { readonly request: IncomingMessage; readonly body: Buffer }[] }

const test = base.extend<{ readonly open: (options?: CaptureOptions) => Promise<Gateway>; readonly target: Target }>({
  open: async ({}, use) => {
    const closers: (() => Promise<unknown> | void)[] = []
    await use(async (options = {}) => {
      const database = await borrowTestDatabase()
      closers.push(database.drop)
      const store = postgresStore(database.url, { schema: database.schema })
      const casesFolder = mkdtempSync(join(tmpdir(), 'oncehook-cases-'))
      const inbox = createInbox({
        store,
        sources,
        mode: 'queued',
        logger: { info: () => {}, warn: () => {}, error: () => {} },
      }) as unknown as Inbox<unknown>
      for (const source of inbox.sources) inbox.on(source, '*', () => {})
      let url = ''
      const captures = createCaptures({
        store,
        sources,
        receipts: inbox.receipts,
        ownUrl: () => url,
        casesFolder,
        options: { endpoints: { box: {} }, ...options },
      })
      await captures.start()
      const server = createWebhookServer(inbox, { captures })
      url = `http://127.0.0.1:${(await server.listen({ port: 0, host: '127.0.0.1' })).port}`
      const admin = createAdmin({ inbox, captures, ingestUrl: url, authorize: () => undefined })
      closers.push(async () => {
        admin.close()
        captures.close()
        await server.close(0)
        await inbox.close()
        rmSync(casesFolder, { recursive: true, force: true })
      })
      const capture: Gateway['capture'] = async (provider, event) => {
        const signed = provider.sign({ ...event, url: `${url}/capture/box` }, new Date())
        const headers = [...signed.headers].flatMap(([name, values]) =>
          values.map((value) => [name, value] as [string, string]),
        )
        const answer = await fetch(`${url}/capture/box`, { method: 'POST', headers, body: Buffer.from(signed.body) })
        return ((await answer.json()) as { readonly capture: string }).capture
      }
      const call: Gateway['call'] = async (role, method, path, body) => {
        const request = new Request(`http://localhost/api/v1${path}`, {
          method,
          ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
        })
        const answer = await admin.callAs({ name: `the ${role}`, role }, request)
        const text = await answer.text()
        return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
      }
      return { url, captures, inbox, admin, database, casesFolder, capture, call }
    })
    for (const close of closers.toReversed()) await close()
  },
  target: async ({}, use) => {
    const seen: Target['seen'] = []
    const server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        seen.push({ request, body: Buffer.concat(chunks) })
        response
          .writeHead(seen.length === 1 ? 201 : 200, ['x-answer', 'a', 'x-answer', 'b'])
          .end(`number ${seen.length} ${'x'.repeat(20_000)}`)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    await use({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen })
    server.close()
    server.closeAllConnections()
  },
})

const note = { by: 'somebody', why: 'to see' }

describe('a replay', () => {
  test('signed anew for five providers is believed by the receiving inbox, and five copies are one receipt', async ({
    open,
  }) => {
    const { captures, inbox, capture, database } = await open()
    const form = 'MessageSid=SM1&MessageStatus=sent'
    const events: readonly (readonly [keyof typeof sources, Parameters<Provider['sign']>[0]])[] = [
      ['stripe', { id: 'evt_1', type: 'invoice.paid' }],
      ['github', { id: 'delivery-1', type: 'push' }],
      ['shopify', { id: 'hook-1', type: 'orders/create' }],
      ['slack', { id: 'Ev1', type: 'message' }],
      ['twilio', { body: form, headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
    ]

    for (const [source, event] of events) {
      const id = await capture(sources[source], event)
      const sent = await captures.replay({
        from: { kind: 'capture', id },
        target: `/in/${source}`,
        times: 5,
        isParallel: true,
        sign: { source },
        ...note,
      })
      const isTaken = (status: number | undefined): boolean => status === 200 || status === 202
      expect(sent.kind === 'sent' ? sent.replay.results.filter(({ status }) => isTaken(status)) : sent).toHaveLength(5)
    }

    const receipts = await inbox.receipts.find({})
    expect(receipts.map(({ source }) => source).toSorted()).toEqual(Object.keys(sources).toSorted())
    const replays = await database.query(
      `select signed_for, replayed_by, why, times, ended_at is not null as ended from "${database.schema}".capture_replays order by id`,
    )
    expect(replays).toEqual(
      events.map(([source]) => ({ signed_for: source, replayed_by: 'somebody', why: 'to see', times: 5, ended: true })),
    )
  })

  test('of a receipt is signed by its own source; with another id it is another event', async ({ open }) => {
    const { captures, inbox, url } = await open()
    const signed = sources.stripe.sign({ id: 'evt_1', type: 'invoice.paid', payload: { amount: 1 } }, new Date())
    await inbox.receive('stripe', signed)
    const [receipt] = await inbox.receipts.find({})
    const from = { kind: 'receipt', id: receipt?.id ?? '' } as const

    const again = await captures.replay({ from, target: `${url}/in/stripe`, ...note })
    const body = Buffer.from(signed.body).toString().replace('evt_1', 'evt_2')
    const other = await captures.replay({ from, target: '/in/stripe', edit: { body }, ...note })
    const unsigned = await captures.replay({ from, target: '/in/stripe', sign: 'no', ...note })

    const statusOf = (sent: typeof again): unknown => (sent.kind === 'sent' ? sent.replay.results[0]?.status : sent)
    expect([statusOf(again), statusOf(other), statusOf(unsigned)]).toEqual([200, 202, 401])
    expect((await inbox.receipts.find({})).map(({ eventId }) => eventId)).toEqual(['evt_2', 'evt_1'])
  })

  test('goes out unchanged: bytes, order and duplicates of headers; answers stand side by side', async ({
    open,
    target,
  }) => {
    const { captures, url } = await open({ replay: { allowPrivateAddresses: ['127.0.0.1'] } })
    await fetch(`${url}/capture/box/x?y=1`, {
      method: 'PUT',
      headers: { 'x-b': '1', 'x-a': '2', authorization: 'Bearer z' },
      body: Buffer.from([0, 255, 1]),
    })
    const id = (await captures.find({ limit: 1 }))[0]?.id ?? ''

    const sent = await captures.replay({
      from: { kind: 'capture', id },
      target: `${target.url}/hook`,
      times: 2,
      ...note,
    })

    expect(target.seen.map(({ request, body }) => [request.method, request.url, body])).toEqual(
      [1, 2].map(() => ['PUT', '/hook', Buffer.from([0, 255, 1])]),
    )
    const raw = target.seen[0]?.request.rawHeaders ?? []
    expect(raw.filter((_, index) => index % 2 === 0)).toEqual(expect.arrayContaining(['x-b', 'x-a', 'authorization']))
    expect(raw.indexOf('x-b')).toBeLessThan(raw.indexOf('x-a'))
    const results = sent.kind === 'sent' ? sent.replay.results : []
    expect(results).toMatchObject([
      { attempt: 1, status: 201, isTruncated: true, error: undefined },
      { attempt: 2, status: 200, isTruncated: true },
    ])
    expect(results[0]?.headers.filter(([name]) => name === 'x-answer')).toEqual([
      ['x-answer', 'a'],
      ['x-answer', 'b'],
    ])
    expect(results[0]?.text).toHaveLength(10_240)
  })

  test('to where it must not go is refused, and nothing is sent or stored', async ({ open, target }) => {
    const { captures, url, capture, database } = await open()
    const id = await capture(sources.stripe, { id: 'evt_1' })
    const port = new URL(target.url).port
    const targets = [
      target.url,
      `http://localhost:${port}`,
      `http://[::1]:${port}`,
      `http://0x7f.1:${port}`,
      `http://[::ffff:127.0.0.1]:${port}`,
      'http://169.254.169.254/latest',
      'http://10.0.0.1/',
      'https://192.168.1.1/',
      'http://93.184.215.14/',
      'ftp://example.com/',
      'file:///etc/passwd',
      'https://user:pass@93.184.215.14/',
      `${url}/api/v1/session`,
      `${url}/healthz`,
      '/api/v1/receipts',
      '/in/../api/v1/session',
      'nonsense',
      '//127.0.0.1/in/x',
    ]

    const outcomes = await Promise.all(
      targets.map((one) => captures.replay({ from: { kind: 'capture', id }, target: one, ...note })),
    )

    expect(outcomes.map(({ kind }, index) => `${targets[index]} ${kind}`)).toEqual(
      targets.map((one) => `${one} refused`),
    )
    expect(target.seen).toEqual([])
    expect(await database.query(`select from "${database.schema}".capture_replays`)).toEqual([])
  })

  test('that cannot be is refused with the reason', async ({ open }) => {
    const { captures, url, capture } = await open({ maximumBodyBytes: 2000 })
    const id = await capture(sources.stripe, { id: 'evt_1' })
    await fetch(`${url}/capture/box`, { method: 'POST', body: 'x'.repeat(3000) })
    const [large] = await captures.find({ limit: 1 })
    const ask = async (more: Partial<Parameters<Captures['replay']>[0]>): Promise<string> => {
      const outcome = await captures.replay({ from: { kind: 'capture', id }, target: '/in/stripe', ...note, ...more })
      return 'message' in outcome ? outcome.message : outcome.kind
    }

    expect(await ask({ from: { kind: 'capture', id: '999999' } })).toContain('There is no capture 999999')
    expect(await ask({ from: { kind: 'capture', id: large?.id ?? '' } })).toContain('too large')
    expect(await ask({ times: 101 })).toContain('1 to 100')
    expect(await ask({ sign: { provider: 'paddle' } })).toContain('No source of this gateway is of paddle')
    expect(await ask({ sign: { source: 'toString' } })).toContain('There is no source')
    expect(await ask({ edit: { headers: [['a', 'b\r\nc: d']] } })).toContain('line break')
    expect(await ask({ target: `http://127.0.0.1:1/in/x` })).toContain('captures.replay.allowPrivateAddresses')
  })
})

describe('over the API', () => {
  test('captures are listed, shown masked, replayed with edits, compared, saved as cases and cleared, each for its role', async ({
    open,
  }) => {
    const { capture, call, casesFolder, inbox, url } = await open()
    const body = JSON.stringify({ id: 'evt_1', type: 'invoice.paid', customer_email: 'jane@shop.test' })
    const one = await capture(sources.stripe, { body })
    const two = await capture(sources.stripe, { body })

    const list = await call('viewer', 'GET', '/captures?endpoint=box&q=evt_&limit=1')
    expect(list.body.items).toMatchObject([
      {
        id: two,
        method: 'POST',
        identity: { provider: 'stripe', eventId: 'evt_1' },
        answer: { status: 200, origin: 'default', rule: null },
      },
    ])
    expect((await call('viewer', 'GET', `/captures?cursor=${list.body.next}`)).body.items).toMatchObject([{ id: one }])
    const shown = await call('viewer', 'GET', `/captures/${one}`)
    const headers = shown.body.headers as [string, string][]
    const signature = headers.find(([name]) => name.toLowerCase() === 'stripe-signature')?.[1]
    expect(signature).toMatch(/^\[masked [0-9a-f]{8}\]$/)
    expect(JSON.parse(shown.body.text as string)).toMatchObject({ id: 'evt_1' })

    expect(
      (await call('viewer', 'POST', '/replays', { from: { kind: 'capture', id: one }, target: '/in/stripe', why: 'w' }))
        .status,
    ).toBe(403)
    const edited = await call('operator', 'POST', '/replays', {
      from: { kind: 'capture', id: one },
      target: '/in/stripe',
      edit: { headers },
      why: 'the old signature still holds',
    })
    expect(edited.body).toMatchObject({
      by: 'the operator',
      isEdited: true,
      signedFor: null,
      results: [{ attempt: 1, status: 202, error: null }],
    })
    expect(await inbox.receipts.find({})).toHaveLength(1)
    expect(
      (
        await call('operator', 'POST', '/replays', {
          from: { kind: 'capture', id: one },
          target: 'http://127.0.0.1:1/',
          why: 'w',
        })
      ).status,
    ).toBe(400)
    expect((await call('viewer', 'GET', '/replays')).body.items).toMatchObject([{ id: edited.body.id }])
    expect((await call('viewer', 'GET', `/replays/${edited.body.id}`)).body).toMatchObject({
      why: 'the old signature still holds',
    })

    const [receipt] = await inbox.receipts.find({})
    const compared = await call('viewer', 'POST', '/compare', {
      items: [
        { kind: 'capture', id: one },
        { kind: 'capture', id: two },
        { kind: 'receipt', id: receipt?.id },
      ],
    })
    expect(compared.body.identity.verdict).toBe('same_event')
    expect(compared.body.headers.find(({ name }: { name: string }) => name === 'stripe-signature').values[2]).toBeNull()
    expect((await call('viewer', 'POST', '/compare', { items: [{ kind: 'capture', id: one }] })).status).toBe(400)
    expect(
      (
        await call('viewer', 'POST', '/compare', {
          items: [
            { kind: 'capture', id: one },
            { kind: 'receipt', id: '999' },
          ],
        })
      ).status,
    ).toBe(404)

    const saved = await call('operator', 'POST', `/captures/${one}/case`, {
      name: 'invoice-paid',
      expect: { status: [200, 202] },
    })
    expect(saved.body).toMatchObject({
      isSaved: true,
      case: { source: 'stripe', request: { json: { id: 'evt_1', customer_email: 'person1@example.com' } } },
    })
    expect(readFileSync(join(casesFolder, 'invoice-paid.json'), 'utf8')).not.toMatch(/jane|stripe-signature/)
    expect((await call('operator', 'POST', `/captures/${one}/case`, { name: 'invoice-paid' })).status).toBe(409)
    expect((await call('operator', 'POST', `/captures/${one}/case`, { name: '../x' })).status).toBe(400)
    expect((await call('viewer', 'GET', '/cases')).body.items).toMatchObject([
      { kind: 'case', file: 'invoice-paid.json' },
    ])

    expect((await call('operator', 'DELETE', `/captures/${two}`)).status).toBe(200)
    expect((await call('operator', 'POST', '/captures/clear', { endpoint: 'box' })).body).toEqual({ deleted: 1 })
    expect((await call('viewer', 'GET', `/captures/${one}`)).status).toBe(404)
    expect((await call('viewer', 'GET', '/capture-endpoints/box')).body).toMatchObject({
      name: 'box',
      url: `${url}/capture/box`,
      captures: 0,
      bytes: 0,
      received: 2,
    })
  })

  test('endpoints and rules are made, checked and removed, and captures are told live', async ({ open }) => {
    const { call, url, captures } = await open()
    const told: unknown[] = []
    captures.subscribe((event) => told.push(event))

    expect((await call('operator', 'POST', '/capture-endpoints', { name: 'new', note: 'n' })).status).toBe(201)
    expect((await call('operator', 'POST', '/capture-endpoints', { name: 'new' })).status).toBe(409)
    expect((await call('operator', 'POST', '/capture-endpoints', { name: 'N w' })).status).toBe(400)
    const wrong = await call('operator', 'PUT', '/capture-endpoints/new/rules', {
      rules: [{ answer: { status: 99 } }, { when: { path: 'x' }, answer: {} }],
    })
    expect(wrong.body.error.details).toEqual([
      { path: 'rules[0].answer.status', message: expect.any(String) },
      { path: 'rules[1].when.path', message: expect.any(String) },
    ])
    const rules = [{ name: 'twice', when: { first: 2 }, answer: { status: 503 } }]
    await call('operator', 'PUT', '/capture-endpoints/new/rules', { rules })
    expect((await fetch(`${url}/capture/new`)).status).toBe(503)
    const read = await call('viewer', 'GET', '/capture-endpoints/new/rules')
    expect(read.body.rules).toMatchObject([{ name: 'twice', counted: 1, answered: 1 }])
    await call('operator', 'PUT', '/capture-endpoints/new/rules', { rules: read.body.rules })
    expect([(await fetch(`${url}/capture/new`)).status, (await fetch(`${url}/capture/new`)).status]).toEqual([503, 200])
    await call('operator', 'PUT', '/capture-endpoints/new/rules', { rules, counts: 'reset' })
    expect((await fetch(`${url}/capture/new`)).status).toBe(503)

    expect(told).toMatchObject([
      { kind: 'capture', endpoint: 'new', status: 503, rule: 'twice' },
      { status: 503 },
      { status: 200 },
      { status: 503 },
    ])
    expect((await call('operator', 'DELETE', '/capture-endpoints/new')).status).toBe(200)
    expect((await fetch(`${url}/capture/new`)).status).toBe(404)
  })
})

describe('what is kept', () => {
  test('goes when its time is over, and with an encryption key nothing of it can be read in the database', async ({
    open,
  }) => {
    const { database } = await open()
    const store = postgresStore(database.url, { schema: database.schema })
    const key = Buffer.alloc(32, 7).fill(1, 3).toString('base64')
    const captures = createCaptures({
      store,
      sources,
      encryption: { keys: { k1: key }, current: 'k1' },
      options: { endpoints: { sealed: {} }, keepDays: 0.00002 },
    })
    await captures.start()
    const server = createWebhookServer(
      {
        door: {
          settingsOf: () => undefined,
          receive: async (source) => ({ kind: 'unknown_source', source }),
          answer: () => ({ status: 404 }),
        },
      },
      { captures },
    )
    const { port } = await server.listen({ port: 0, host: '127.0.0.1' })

    await fetch(`http://127.0.0.1:${port}/capture/sealed/p?token=visible`, {
      method: 'POST',
      headers: { 'x-secret': 'visible' },
      body: 'visible',
    })
    const [row] = await database
      .query<{ all: string }>(
        `select captures::text || convert_from(content, 'SQL_ASCII') as all from "${database.schema}".captures`,
      )
      .catch(() => database.query<{ all: string }>(`select captures::text as all from "${database.schema}".captures`))
    const [brief] = await captures.find({ limit: 1 })
    const read = await captures.read(brief?.id ?? '')

    expect(row?.all).not.toContain('visible')
    expect(row?.all).not.toContain(Buffer.from('visible').toString('hex'))
    expect(read).toMatchObject({ query: 'token=visible', path: '/p' })
    expect(Buffer.from(read?.content ?? []).toString()).toBe('visible')
    expect(Buffer.from(read?.answer.body ?? []).toString()).toContain('captured')
    await until(
      () => database.query(`select id from "${database.schema}".captures`),
      (rows) => rows.length === 0,
    )
    captures.close()
    await server.close(0)
    await store.close()
  })
})
