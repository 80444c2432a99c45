import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { github } from '../../src/providers/github.ts'
import { stripe } from '../../src/providers/stripe.ts'
import { until } from '../support/until.ts'
import { type Gateways, githubSecret, sendRaw, startGateways, stripeSecret } from './gateways.ts'

const rules = `[
  { name: 'three failures', when: { method: 'POST', path: '/retry', first: 3 }, answer: { status: 500, body: 'not now' } },
  { name: 'challenge', when: { json: { type: 'url_verification' } }, answer: { json: { challenge: '{{json.challenge}}', of: '{{query.team}}' } } },
  { name: 'slow', when: { path: '/slow' }, answer: { status: 202, delaySeconds: 0.2 } },
  { name: 'silent', when: { headers: { 'x-mood': 'silent*' } }, answer: { hang: true } },
  { name: 'gone', when: { query: { drop: 'yes' } }, answer: { drop: true } },
]`

let gateways: Gateways
beforeAll(async () => {
  gateways = await startGateways(
    2,
    `captures: { maximumBodyBytes: 2000, keepRequests: 60, endpoints: { stripe: {}, mocked: { rules: ${rules} }, few: {}, counted: {} } },`,
  )
})
afterAll(() => gateways.stop())

type Row = {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: string
  readonly content: Buffer
  readonly bytes: number
  readonly problem: string | null
  readonly provider: string | null
  readonly event_id: string | null
  readonly type: string | null
  readonly answer: string
  readonly status: number | null
  readonly answer_headers: string
  readonly answer_body: Buffer
  readonly origin: string
  readonly rule: string | null
  readonly remote_address: string
}

const captured = (endpoint: string): Promise<readonly Row[]> =>
  gateways.database.query<Row>(`select * from "${gateways.database.schema}".captures where endpoint = $1 order by id`, [
    endpoint,
  ])

const first = (): string => gateways.urls[0] ?? ''
const clear = (): Promise<unknown> => gateways.database.query(`delete from "${gateways.database.schema}".captures`)

describe('a capture endpoint', () => {
  test('takes a request whole: order and duplicates of headers, bytes that are no text, and the answer it got', async () => {
    const body = Buffer.from([0, 1, 0xff, 0xfe, 0x7b, 0, 0xc3, 0x28])
    const head = [
      'PROPFIND /capture/few/a%20b/../c?x=1&x=2&y=%00 HTTP/1.1',
      'Host: localhost',
      'X-Twice: one',
      'x-TWICE: two',
      'X-Latin: caf\u00e9',
      'Set-Cookie: a=1',
      'Connection: close',
      'Transfer-Encoding: chunked',
      '',
      '',
    ].join('\r\n')
    const chunks = Buffer.concat([
      Buffer.from('3\r\n'),
      body.subarray(0, 3),
      Buffer.from('\r\n5\r\n'),
      body.subarray(3),
      Buffer.from('\r\n0\r\n\r\n'),
    ])

    const answer = await sendRaw(first(), Buffer.concat([Buffer.from(head, 'latin1'), chunks]))

    const row = (await captured('few')).at(-1)
    expect(row).toMatchObject({ method: 'PROPFIND', path: '/a%20b/../c', query: 'x=1&x=2&y=%00', problem: null })
    expect(row?.content).toEqual(body)
    expect(JSON.parse(row?.headers ?? '')).toEqual([
      ['Host', 'localhost'],
      ['X-Twice', 'one'],
      ['x-TWICE', 'two'],
      ['X-Latin', 'caf\u00e9'],
      ['Set-Cookie', 'a=1'],
      ['Connection', 'close'],
      ['Transfer-Encoding', 'chunked'],
    ])
    expect(row?.remote_address).toContain('127.0.0.1')
    expect(answer).toContain('HTTP/1.1 200 OK')
    expect(answer).toContain(row?.answer_body.toString())
    expect(row).toMatchObject({ answer: 'sent', status: 200, origin: 'default', rule: null })
  })

  test('keeps every header of a request that has hundreds of them', async () => {
    const headers = Array.from({ length: 400 }, (_, index) => `X-${index}: ${index}`)

    await sendRaw(
      first(),
      ['GET /capture/few HTTP/1.1', 'Host: h', ...headers, 'Connection: close', '', ''].join('\r\n'),
    )

    expect(JSON.parse((await captured('few')).at(-1)?.headers ?? '[]')).toHaveLength(402)
  })

  test('notes what it could not take: a body that is too large, and one that never came to its end', async () => {
    const tooLarge = await fetch(`${first()}/capture/few/large`, { method: 'POST', body: 'x'.repeat(2001) })
    await sendRaw(first(), 'POST /capture/few/cut HTTP/1.1\r\nHost: h\r\nContent-Length: 50\r\n\r\nonly this', {
      end: true,
    })

    const rows = await until(
      () => captured('few'),
      (found) => found.some(({ path }) => path === '/cut'),
    )
    expect(tooLarge.status).toBe(413)
    expect(rows.find(({ path }) => path === '/large')).toMatchObject({
      status: 413,
      problem: 'too_large',
      bytes: 2001,
      content: Buffer.alloc(0),
    })
    expect(rows.find(({ path }) => path === '/cut')).toMatchObject({
      answer: 'none',
      status: null,
      problem: 'cut_short',
      bytes: 50,
    })
  })

  test('is known by its name alone, and no request makes one', async () => {
    const answers = await Promise.all(
      ['unknown', 'Stripe', '%73tripe', '..%2fstripe', ''].map(
        async (name) => (await fetch(`${first()}/capture/${name}`)).status,
      ),
    )

    expect(answers).toEqual([404, 404, 404, 404, 404])
    const endpoints = await gateways.database.query<{ name: string }>(
      `select name from "${gateways.database.schema}".capture_endpoints order by name`,
    )
    expect(endpoints.map(({ name }) => name)).toEqual(['counted', 'few', 'mocked', 'stripe'])
  })

  test('keeps the newest, and knows how many there are', async () => {
    await clear()
    await gateways.database.query(`update "${gateways.database.schema}".capture_endpoints set captures = 0, bytes = 0`)

    await Promise.all(
      Array.from({ length: 80 }, (_, index) => fetch(`${gateways.urls[index % 2]}/capture/few/${index}`)),
    )

    const rows = await captured('few')
    const [endpoint] = await gateways.database.query<{ captures: number; bytes: string; sum: string }>(
      `select captures, bytes, (select sum(size) from "${gateways.database.schema}".captures where endpoint = 'few') as sum from "${gateways.database.schema}".capture_endpoints where name = 'few'`,
    )
    expect(rows).toHaveLength(60)
    expect(endpoint?.captures).toBe(60)
    expect(endpoint?.bytes).toBe(endpoint?.sum)
  })

  test('recognises events of its sources and of other providers, without a secret', async () => {
    const send = async (path: string, delivery: ReturnType<ReturnType<typeof stripe>['sign']>): Promise<unknown> =>
      fetch(`${first()}/capture/${path}`, {
        method: 'POST',
        headers: Object.fromEntries([...delivery.headers].map(([name, [value]]) => [name, value ?? ''])),
        body: Buffer.from(delivery.body),
      })
    const now = new Date()
    await send('stripe', stripe({ secret: stripeSecret }).sign({ id: 'evt_1', type: 'invoice.paid' }, now))
    await send('few', github({ secret: githubSecret }).sign({ id: 'delivery-1', type: 'push' }, now))
    const slack = JSON.stringify({ type: 'event_callback', event_id: 'Ev1', event: { type: 'message' }, team_id: 'T1' })
    await fetch(`${first()}/capture/few`, {
      method: 'POST',
      headers: { 'x-slack-signature': 'v0=00', 'x-slack-request-timestamp': '1' },
      body: slack,
    })
    await fetch(`${first()}/capture/stripe`, { method: 'POST', body: 'not even json' })

    const seen = [...(await captured('stripe')), ...(await captured('few')).slice(-2)]
    expect(seen.map(({ provider, event_id, type }) => [provider, event_id?.split(':').at(-1), type])).toEqual([
      ['stripe', 'evt_1', 'invoice.paid'],
      [null, undefined, null],
      ['github', expect.stringContaining('delivery-1'), 'push'],
      ['slack', expect.stringContaining('Ev1'), expect.stringContaining('message')],
    ])
  })
})

describe('a mock rule', () => {
  test('with a count of three fires three times, whatever number of processes is asked at once, and after a kill', async () => {
    const ask = async (url: string): Promise<number> =>
      (await fetch(`${url}/capture/mocked/retry`, { method: 'POST', body: '{}' })).status

    const one = await ask(first())
    const url = await gateways.restart(1)
    const statuses = await Promise.all(Array.from({ length: 30 }, (_, index) => ask(index % 2 === 0 ? first() : url)))

    expect(one).toBe(500)
    expect(statuses.filter((status) => status === 500)).toHaveLength(2)
    expect(statuses.filter((status) => status === 200)).toHaveLength(28)
    const rows = (await captured('mocked')).filter(({ path }) => path === '/retry')
    expect(rows.filter(({ rule, status }) => rule === 'three failures' && status === 500)).toHaveLength(3)
    expect(rows).toHaveLength(31)
  })

  test('answers with what the request says, so that no sender can break out of it', async () => {
    const challenge = 'a"},{"x":"\u2028'

    const answer = await fetch(`${first()}/capture/mocked?team=T1`, {
      method: 'POST',
      body: JSON.stringify({ type: 'url_verification', challenge }),
    })

    expect(await answer.json()).toEqual({ challenge, of: 'T1' })
    expect(answer.headers.get('content-security-policy')).toBe('sandbox')
    expect((await captured('mocked')).at(-1)).toMatchObject({ origin: 'rule', rule: 'challenge', status: 200 })
  })

  test('waits, hangs until the sender gives up, and drops the connection', async () => {
    const started = performance.now()
    const slow = await fetch(`${first()}/capture/mocked/slow`)
    const took = performance.now() - started
    const silent = fetch(`${first()}/capture/mocked`, {
      headers: { 'x-mood': 'silent today' },
      signal: AbortSignal.timeout(400),
    })
    const dropped = await sendRaw(first(), 'GET /capture/mocked?drop=yes HTTP/1.1\r\nHost: h\r\n\r\n')

    await expect(silent).rejects.toThrow('timeout')
    expect([slow.status, dropped]).toEqual([202, ''])
    expect(took).toBeGreaterThan(195)
    const rows = (await captured('mocked')).slice(-3)
    expect(rows.map(({ answer, rule }) => `${rule} ${answer}`).toSorted()).toEqual([
      'gone drop',
      'silent hang',
      'slow sent',
    ])
  })
})

describe('without its store', () => {
  test('an endpoint answers 503, and goes on when the tables are back', async () => {
    const { schema, query } = gateways.database
    await query(`alter table "${schema}".captures rename to captures_away`)

    const away = await fetch(`${first()}/capture/counted`, { method: 'POST', body: 'lost' })
    await query(`alter table "${schema}".captures_away rename to captures`)
    const back = await fetch(`${first()}/capture/counted`, { method: 'POST', body: 'kept' })

    expect([away.status, back.status]).toEqual([503, 200])
    expect((await captured('counted')).map(({ content }) => content.toString())).toEqual(['kept'])
  })
})
