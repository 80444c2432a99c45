import { describe, expect, test } from 'vitest'
import { stripe } from '../../providers/stripe.ts'
import type { Original } from '../original.ts'
import { type CaseFile, readCase } from './case-file.ts'
import { judgeAnswer, judgeRows } from './judge-case.ts'
import { makeCase } from './make-case.ts'
import { runCase } from './run-case.ts'

const original = (body: string, headers: Original['headers'] = []): Original => ({
  kind: 'capture',
  id: '1',
  name: 'stripe',
  at: new Date(),
  method: 'POST',
  path: '',
  query: '',
  headers,
  content: Buffer.from(body),
  identity: { provider: 'stripe', eventId: 'evt_1', type: 'invoice.paid' },
  missing: undefined,
})

const made = (
  body: string,
  wish: Partial<Parameters<typeof makeCase>[1]> = {},
  headers: Original['headers'] = [],
): CaseFile =>
  makeCase(original(body, headers), { name: 'a-case', expect: {}, proofHeaders: ['stripe-signature'], ...wish })

describe('a case that is made of a capture', () => {
  test('masks what looks private, equal values alike, and keeps what the event is about', () => {
    const body = {
      id: 'evt_1',
      type: 'invoice.paid',
      created: 1700000000,
      data: {
        object: {
          id: 'in_1234567890123456',
          customer_email: 'Jane.Doe@shop.test',
          receipt: 'sent to jane.doe@shop.test',
          clientSecret: 'pi_1_secret_2',
          number: '4111 1111 1111 1111',
          key: 'sk_live_0123456789abcdef',
          card: { last4: '4242', cvc: 123 },
          phone: '+49 30 1234567',
          idempotency_key: 'k1',
        },
      },
    }

    const { request, redacted } = made(JSON.stringify(body))

    expect(request.json).toEqual({
      ...body,
      data: {
        object: {
          ...body.data.object,
          customer_email: 'person1@example.com',
          receipt: 'sent to person1@example.com',
          clientSecret: expect.stringMatching(/^masked-\d$/),
          number: '4242424242424242',
          key: expect.stringMatching(/^masked-\d$/),
          card: { last4: '4242', cvc: 0 },
          phone: expect.stringMatching(/^masked-\d$/),
        },
      },
    })
    expect(redacted).toContain('$.data.object.customer_email')
  })

  test('keeps and masks by path where it is told to', () => {
    const { request } = made('{"email":"a@b.test","note":"x","list":[{"note":"y"}]}', {
      keep: ['$.email'],
      mask: ['$..note'],
    })

    expect(request.json).toEqual({ email: 'a@b.test', note: 'masked-1', list: [{ note: 'masked-2' }] })
  })

  test('leaves out signatures and what the connection said, and masks credentials', () => {
    const { request } = made('{}', {}, [
      ['Host', 'x'],
      ['Stripe-Signature', 't=1,v1=abc'],
      ['Authorization', 'Bearer abc'],
      ['Content-Type', 'application/json'],
      ['Accept', '*/*'],
      ['accept', 'text/plain'],
    ])

    expect(request.headers).toEqual({
      authorization: 'masked-1',
      'content-type': 'application/json',
      accept: '*/*, text/plain',
    })
  })

  test('keeps digits that JavaScript would round, and bytes that are no text', () => {
    expect(made('{"id":12345678901234567890}').request).toMatchObject({ text: '{"id":12345678901234567890}' })
    expect(
      makeCase({ ...original(''), content: Buffer.of(255, 0) }, { name: 'a', expect: {}, proofHeaders: [] }).request,
    ).toMatchObject({ base64: '/wA=' })
    expect(made('a=b&email=x%40y.test', {}, [['content-type', 'application/x-www-form-urlencoded']]).request.text).toBe(
      'a=b&email=person1%40example.com',
    )
  })
})

describe('a file', () => {
  test('that was made can be read', () => {
    expect(readCase(JSON.parse(JSON.stringify(made('{"a":1}'))))).toMatchObject({ name: 'a-case' })
  })

  test.each<[unknown, string]>([
    [7, 'not a JSON object'],
    [{ ...made('{}'), format: 'x' }, 'format is not'],
    [{ ...made('{}'), name: '../x' }, 'name is not a name'],
    [{ ...made('{}'), send: { times: 101 } }, 'send.times'],
    [{ ...made('{}'), request: { method: 'POST', headers: {}, text: '', json: 1 } }, 'request has json and text'],
    [{ ...made('{}'), expect: { status: '6xx' } }, 'expect.status'],
    [{ ...made('{}'), expect: { rows: [{ sql: 'select 1' }] } }, 'expect.rows[0].equals is missing'],
    [{ ...made('{}'), expect: { body: { json: { 'a..': 1 } } } }, 'is no path'],
    [{ ...made('{}'), epxect: {} }, 'epxect is not known'],
  ])('%j is refused: %s', (given, mistake) => {
    const read = readCase(given)

    expect('mistakes' in read ? read.mistakes.join('\n') : '').toContain(mistake)
  })
})

describe('an expectation', () => {
  const answer = {
    status: 202,
    headers: [['Content-Type', 'application/json']] as const,
    text: '{"verdict":"accepted","n":1.0}',
    error: undefined,
  }

  test.each<[CaseFile['expect'], string | undefined]>([
    [{}, undefined],
    [
      {
        status: ['2xx', 404],
        headers: { 'content-type': '*json' },
        body: { contains: ['accepted'], json: { verdict: 'acc*', n: 1 } },
      },
      undefined,
    ],
    [{ status: 200 }, 'the status is 202, expected 200'],
    [{ headers: { 'x-a': '*' } }, 'the header x-a is missing'],
    [{ body: { contains: ['refused'] } }, 'does not contain "refused"'],
    [{ body: { json: { verdict: 'duplicate' } } }, `the body's verdict is "accepted", expected "duplicate"`],
  ])('%j: %s', (expected, mistake) => {
    expect(judgeAnswer(expected, answer).join()).toContain(mistake ?? '')
    expect(judgeAnswer(expected, answer)).toHaveLength(mistake === undefined ? 0 : 1)
  })

  test('of rows takes a count as a text, and tells objects apart', () => {
    expect(judgeRows({ sql: 'q', equals: 1 }, [{ count: '1' }])).toBeUndefined()
    expect(judgeRows({ sql: 'q', equals: { a: 1 } }, [{ a: 1, b: 2 }])).toContain('answers {"a":1,"b":2}')
    expect(judgeRows({ sql: 'q', equals: [] }, [])).toBeUndefined()
    expect(judgeRows({ sql: 'q', equals: [{ a: 1 }, { a: 2 }] }, [{ a: 1 }, { a: 3 }])).toContain('expected')
  })
})

describe('a run', () => {
  test('signs anew each time, and asks for the event until the rows are right', async () => {
    const provider = stripe({ secret: 'whsec_0123456789abcdef0123456789abcdef' })
    const sent: string[] = []
    const asked: unknown[] = []
    const file: CaseFile = {
      ...made(JSON.stringify({ id: 'evt_{{unique}}', type: 'invoice.paid' })),
      send: { times: 2 },
      expect: { rows: [{ sql: `select ':event', count(*) from t where id = :event`, equals: 1 }] },
    }

    const result = await runCase(file, {
      provider,
      url: 'http://localhost/in/stripe',
      unique: 'u1',
      settle: async () => {},
      async send({ headers, content }) {
        const verdict = provider.verify({ headers, body: content }, new Date())
        sent.push(`${verdict.kind} ${Buffer.from(content).toString()}`)
        return { status: 200, headers: [], text: '', error: undefined, tookMilliseconds: 1 }
      },
      async ask(sql, values) {
        asked.push([sql, values])
        return [{ count: asked.length === 1 ? 0 : 1 }]
      },
    })

    expect(result).toMatchObject({ outcome: 'passed', mistakes: [] })
    expect(sent).toEqual(Array(2).fill('authentic {"id":"evt_u1","type":"invoice.paid"}'))
    const question = [`select ':event', count(*) from t where id = $1::text`, ['evt_u1']]
    expect(asked).toEqual([question, question])
  })
})
