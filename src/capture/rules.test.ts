import { describe, expect, test } from 'vitest'
import { ruleAnswer } from './answer.ts'
import { checkRules } from './check-rules.ts'
import { matchRules } from './match-rule.ts'
import { type CaptureRequest, captureRequest } from './request.ts'
import type { CheckedRule, RuleConditions } from './rule.ts'

const request = (parts: Partial<CaptureRequest> & { readonly body?: string } = {}): CaptureRequest =>
  captureRequest({
    method: 'POST',
    path: '/orders/7',
    query: 'team=T1&team=T2&empty=',
    headers: [
      ['X-Kind', 'one'],
      ['x-kind', 'two'],
    ],
    content: Buffer.from(
      parts.body ?? '{"id":12345678901234567890,"data":{"status":"paid","lines":[{"n":1},{"n":2.0}]},"none":null}',
    ),
    ...parts,
  })

const rule = (when: RuleConditions, name = 'r'): CheckedRule => ({ name, when, answer: { status: 500 } })
const fires = (when: RuleConditions, given = request()): boolean =>
  matchRules([{ rule: rule(when), counted: 0 }], given, () => 0.5).answeredBy === 0

describe('a condition', () => {
  test.each<[RuleConditions, boolean]>([
    [{}, true],
    [{ method: 'post' }, true],
    [{ method: ['GET', 'PUT'] }, false],
    [{ path: '/orders/*' }, true],
    [{ path: '' }, false],
    [{ headers: { 'x-kind': 'tw*' } }, true],
    [{ headers: { 'x-kind': 'three' } }, false],
    [{ headers: { 'x-other': { exists: false }, 'X-KIND': { exists: true } } }, true],
    [{ query: { team: 'T2' } }, true],
    [{ query: { empty: { exists: true }, other: { exists: true } } }, false],
    [{ json: { 'data.status': 'pa*' } }, true],
    [{ json: { id: '12345678901234567890' } }, true],
    [{ json: { id: '12345678901234567891' } }, false],
    [{ json: { 'data.lines[*].n': 2 } }, true],
    [{ json: { none: null, '$..status': 'paid' } }, true],
    [{ json: { 'data.missing': { exists: false } } }, true],
    [{ json: { data: 'paid' } }, false],
    [{ probability: 0.51 }, true],
    [{ probability: 0.5 }, false],
    [{ probability: 0 }, false],
  ])('%j holds: %s', (when, holds) => {
    expect(fires(when)).toBe(holds)
  })

  test('on JSON does not hold for what is none', () => {
    expect(fires({ json: { id: '*' } }, request({ body: 'id=1' }))).toBe(false)
    expect(fires({ json: { id: { exists: false } } }, request({ body: '\u0000' }))).toBe(true)
  })
})

describe('a rule with a count', () => {
  const rules = (first: number, after: number) => [
    { rule: rule({ first: 2 }, 'first'), counted: first },
    { rule: rule({ after: 1 }, 'after'), counted: after },
  ]
  const match = (first: number, after: number) => matchRules(rules(first, after), request(), () => 0)

  test('is counted only where all else holds, and no further than its limit', () => {
    expect(match(0, 0)).toEqual({ counted: [0], answeredBy: 0 })
    expect(match(2, 0)).toEqual({ counted: [1], answeredBy: undefined })
    expect(match(2, 1)).toEqual({ counted: [], answeredBy: 1 })
    expect(matchRules(rules(0, 0), request({ method: 'GET' }), () => 0).counted).toEqual([0])
    expect(matchRules([{ rule: rule({ method: 'GET', first: 1 }), counted: 0 }], request(), () => 0).counted).toEqual(
      [],
    )
  })
})

describe('rules that are wrong', () => {
  test.each<[unknown, string, string]>([
    [{}, 'rules', 'is not a list'],
    [[7], 'rules[0]', 'is not a rule'],
    [[{ answer: {}, whne: {} }], 'rules[0].whne', 'there are: name, when, answer'],
    [[{ answer: {} }, { answer: {}, name: 'rule 1' }], 'rules[1].name', 'as another one'],
    [[{ when: { path: 'orders' }, answer: {} }], 'rules[0].when.path', 'begin with a slash'],
    [[{ when: { json: { 'a..': 1 } }, answer: {} }], 'rules[0].when.json["a.."]', 'is no path'],
    [[{ when: { headers: { 'a b': 'x' } }, answer: {} }], 'rules[0].when.headers["a b"]', 'not the name of a header'],
    [[{ when: { query: { a: 1 } }, answer: {} }], 'rules[0].when.query["a"]', 'is not a text'],
    [[{ when: { probability: 1.1 }, answer: {} }], 'rules[0].when.probability', 'from 0 to 1'],
    [[{ when: { first: 0 }, answer: {} }], 'rules[0].when.first', 'whole number from 1'],
    [[{ when: { first: 1, after: 1 }, answer: {} }], 'rules[0].when.first', 'both given'],
    [[{ when: { method: 'P ST' }, answer: {} }], 'rules[0].when.method', 'not a method'],
    [[{}], 'rules[0].answer', 'is missing'],
    [[{ answer: { status: 100 } }], 'rules[0].answer.status', '200 to 599'],
    [[{ answer: { hang: true, status: 200 } }], 'rules[0].answer', 'has status besides hang'],
    [[{ answer: { drop: false } }], 'rules[0].answer.drop', 'leave it out'],
    [[{ answer: { body: 'a', json: 1 } }], 'rules[0].answer', 'give one of them'],
    [[{ answer: { body: '{{body.id}}' } }], 'rules[0].answer.body', 'there are json.<path>'],
    [[{ answer: { body: 'x'.repeat(65_537) } }], 'rules[0].answer.body', 'longer than'],
    [[{ answer: { delaySeconds: 601 } }], 'rules[0].answer.delaySeconds', '0 to 600'],
    [
      [{ answer: { headers: { 'content-length': '1' } } }],
      'rules[0].answer.headers["content-length"]',
      'set by the server',
    ],
    [[{ answer: { headers: { a: 'b\r\nc: d' } } }], 'rules[0].answer.headers["a"]', 'line break'],
    [Array.from({ length: 51 }, () => ({ answer: {} })), 'rules', '50 are the most'],
  ])('%j: %s %s', (given, path, message) => {
    const { mistakes, rules } = checkRules(given)

    expect(rules).toEqual([])
    expect(mistakes).toEqual([{ path, message: expect.stringContaining(message) }])
  })
})

describe('an answer', () => {
  const answered = (answer: CheckedRule['answer'], given = request()) => {
    const { body, headers, ...rest } = ruleAnswer({ name: 'r', answer }, { request: given, id: '42' })
    return { ...rest, body: body.toString(), headers: Object.fromEntries(headers) }
  }

  test('is filled in with what the request says, as it fits where it stands', () => {
    expect(
      answered({
        body: '{{method}} {{path}} {{id}} {{json.id}} {{json.data.lines}} {{query.team}} {{header.X-Kind}} {{json.no}}|',
      }).body,
    ).toBe('POST /orders/7 42 12345678901234567890 [{"n":1},{"n":2.0}] T1 one |')
    const hostile = request({ body: JSON.stringify({ challenge: '"},\r\n\u0000x' }) })
    expect(JSON.parse(answered({ json: { challenge: '{{ json.challenge }}' } }, hostile).body)).toEqual({
      challenge: '"},\r\n\u0000x',
    })
    expect(answered({ headers: { 'x-echo': 'a{{json.challenge}}b' } }, hostile).headers['x-echo']).toBe('a"},xb')
  })

  test('says what it is, and is never a page of this server', () => {
    expect(answered({ body: 'hello' })).toMatchObject({
      status: 200,
      origin: 'rule',
      headers: {
        'content-type': 'text/plain; charset=utf-8',
        'content-security-policy': 'sandbox',
        'x-content-type-options': 'nosniff',
      },
    })
    expect(answered({ json: [1] }).headers['content-type']).toBe('application/json')
    expect(answered({ status: 204 }).headers['content-type']).toBeUndefined()
    expect(answered({ drop: true, delaySeconds: 2 })).toMatchObject({
      kind: 'drop',
      status: undefined,
      delaySeconds: 2,
    })
  })
})
