import { describe, expect, test } from 'vitest'
import { compareOriginals } from './compare.ts'
import type { Original } from './original.ts'

const original = (body: string | Uint8Array, parts: Partial<Original> = {}): Original => ({
  kind: 'capture',
  id: '1',
  name: 'stripe',
  at: new Date('2026-01-01T00:00:00Z'),
  method: 'POST',
  path: '',
  query: '',
  headers: [['Content-Type', 'application/json']],
  content: Buffer.from(body),
  identity: { provider: 'stripe', eventId: 'evt_1', type: 'invoice.paid' },
  missing: undefined,
  ...parts,
})

const paths = (...bodies: readonly string[]): readonly (readonly [string, ...(string | undefined)[]])[] =>
  compareOriginals(bodies.map((body) => original(body))).body.map(({ path, values }) => [path, ...values])

describe('documents that are compared', () => {
  test.each<[readonly string[], readonly (readonly unknown[])[]]>([
    [['{"a":1,"b":[1,2]}', '{ "b": [1, 2], "a": 1 }'], []],
    [['{"a":1}', '{"a":1.0}'], [['$.a', '1', '1.0']]],
    [
      ['{"a":12345678901234567890}', '{"a":12345678901234567891}'],
      [['$.a', '12345678901234567890', '12345678901234567891']],
    ],
    [['{"a":{"b c":true}}', '{"a":{"b c":false}}'], [['$.a["b c"]', 'true', 'false']]],
    [['{"a":1}', '{}', '{"a":null}'], [['$.a', '1', undefined, 'null']]],
    [
      ['[1,2,3]', '[1,3]'],
      [
        ['$[1]', '2', '3'],
        ['$[2]', '3', undefined],
      ],
    ],
    [
      ['{"l":[{"id":"x","n":1},{"id":"y","n":2}]}', '{"l":[{"id":"y","n":3}]}'],
      [
        ['$.l[id=x]', '{"id":"x","n":1}', undefined],
        ['$.l[id=y].n', '2', '3'],
      ],
    ],
    [['{"a":[1]}', '{"a":{"0":1}}'], [['$.a', '[1]', '{"0":1}']]],
  ])('%j', (bodies, expected) => {
    expect(paths(...bodies)).toEqual(expected)
  })

  test('may be forms, and what is neither is told as bytes', () => {
    const form = { headers: [['content-type', 'application/x-www-form-urlencoded']] as const }
    expect(compareOriginals([original('a=1&a=2&b=3', form), original('b=3&a=1', form)]).body).toEqual([
      { path: '$.a', values: ['["1","2"]', '"1"'] },
    ])
    expect(compareOriginals([original(Buffer.of(1, 2, 255)), original(Buffer.of(1, 9))]).body).toEqual([
      { path: '(bytes)', values: ['3 bytes, different from byte 2 on', '2 bytes, different from byte 2 on'] },
    ])
  })

  test('are told up to a limit', () => {
    const many = (value: number): string =>
      JSON.stringify(Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`k${index}`, value])))

    const { body, isTruncated } = compareOriginals([original(many(1)), original(many(2))])

    expect([body.length, isTruncated]).toEqual([300, true])
  })
})

describe('the verdict', () => {
  const identity = (eventId: string) => ({ provider: 'stripe', eventId, type: 'invoice.paid' })
  const signed = (value: string, more: readonly (readonly [string, string])[] = []) => [
    ['stripe-signature', value] as const,
    ...more,
  ]

  test('on a plain retry: one event, and only what is expected has changed', () => {
    const { identity: found, areBytesEqual } = compareOriginals([
      original('{}', { headers: signed('t=1', [['date', 'a']]) }),
      original('{}', { headers: signed('t=2', [['Date', 'b']]) }),
      original('{}', { headers: signed('t=3', [['Date', 'b']]) }),
    ])

    expect(found.verdict).toBe('same_event')
    expect(found.explanation).toBe(
      'All 3 are the event evt_1 (invoice.paid) of stripe, with the same bytes. Only headers about signature, time, delivery and transport differ (date, stripe-signature), as between retries.',
    )
    expect(areBytesEqual).toBe(true)
  })

  test('names headers that would not change in a retry', () => {
    const { identity: found } = compareOriginals([original('{}', { headers: [['x-shop', 'a']] }), original('{}')])

    expect(found.explanation).toContain('Of these content-type, x-shop would not change in a plain retry.')
  })

  test('on one event with another body says where it changed', () => {
    const { identity: found } = compareOriginals([original('{"amount":1}'), original('{"amount":2}')])

    expect(found).toEqual({
      verdict: 'mutated',
      explanation:
        'Both are the event evt_1 (invoice.paid) of stripe, but their bodies differ in one place: $.amount. Whoever remembers ids takes only the first of them.',
    })
  })

  test('does not take another order of members for a change', () => {
    const { identity: found } = compareOriginals([original('{"a":1,"b":2}'), original('{"b":2,"a":1}')])

    expect(found.verdict).toBe('same_event')
    expect(found.explanation).toContain('with the same document, written differently')
  })

  test('on the same body under another id', () => {
    const { identity: found } = compareOriginals([original('{}'), original('{}', { identity: identity('evt_2') })])

    expect(found.verdict).toBe('replayed_body')
    expect(found.explanation).toContain('stripe evt_1 (1), stripe evt_2 (2)')
  })

  test('on several events says which are one', () => {
    const { identity: found } = compareOriginals([
      original('{"a":1}'),
      original('{"a":2}', { identity: identity('evt_2') }),
      original('{"a":1}'),
    ])

    expect(found).toEqual({
      verdict: 'different_events',
      explanation: 'They are 2 events: stripe evt_1 (1, 3), stripe evt_2 (2).',
    })
  })

  test('is left open where nobody says which event it is', () => {
    const none = { identity: undefined }
    expect(compareOriginals([original('{}', none), original('{}', none)]).identity.verdict).toBe('unknown')
    expect(compareOriginals([original('{}', none), original('{"a":1}')]).identity.explanation).toBe(
      'Number 1 does not say which event it is, in a way that a known provider would. The bodies differ.',
    )
  })

  test('comes with the times between them', () => {
    const at = (seconds: number) => ({ at: new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)) })

    expect(compareOriginals([original('{}', at(30)), original('{}', at(0)), original('{}', at(5))]).timing).toEqual([
      { place: 2, sinceFirstMilliseconds: 0, sincePreviousMilliseconds: 0 },
      { place: 3, sinceFirstMilliseconds: 5000, sincePreviousMilliseconds: 5000 },
      { place: 1, sinceFirstMilliseconds: 30_000, sincePreviousMilliseconds: 25_000 },
    ])
  })
})
