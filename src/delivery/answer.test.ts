import { describe, expect, test } from 'vitest'
import { answerOf, errorAnswer, sendable } from './answer.ts'
import type { EventOutcome, Outcome } from './outcome.ts'

const accepted: EventOutcome = { kind: 'accepted', receiptId: '1', eventId: 'a' }
const processed: EventOutcome = { kind: 'processed', receiptId: '2', eventId: 'b' }
const duplicate: EventOutcome = { kind: 'duplicate', receiptId: '42', eventId: 'c', isMutated: false }
const ignored: EventOutcome = { kind: 'ignored', eventId: 'd', reason: 'not_allowed' }
const rolledBack: EventOutcome = { kind: 'failed', eventId: 'e', stored: 'rolled_back' }
const deadLetter: EventOutcome = { kind: 'failed', eventId: 'f', stored: 'dead_letter' }
const unavailable: EventOutcome = { kind: 'unavailable', reason: 'store', retryAfterSeconds: 4.2 }

const batch = (...outcomes: EventOutcome[]): Outcome => ({ kind: 'batch', outcomes })

describe('the answer to a delivery', () => {
  test.each<[Outcome, number]>([
    [accepted, 202],
    [processed, 200],
    [duplicate, 200],
    [ignored, 200],
    [rolledBack, 500],
    [deadLetter, 200],
    [unavailable, 503],
    [{ kind: 'handshake', answer: { status: 200, body: 'challenge' } }, 200],
    [{ kind: 'forged', reason: 'signature_mismatch' }, 401],
    [{ kind: 'malformed', detail: 'The body is empty.' }, 400],
    [{ kind: 'too_large', limitBytes: 10 }, 413],
    [{ kind: 'too_slow' }, 408],
    [{ kind: 'unsupported_encoding', encoding: 'zstd' }, 415],
    [{ kind: 'method_not_allowed', allowed: ['POST'] }, 405],
    [{ kind: 'unknown_source', source: 'acme' }, 404],
  ])('%j is told with status %i', (outcome, status) => {
    expect(answerOf(outcome).status).toBe(status)
  })

  test('names the verdict and the receipt as JSON that nobody caches', () => {
    const answer = answerOf(duplicate)

    expect(answer.body).toBe('{"verdict":"duplicate","receipt":"42"}')
    expect(answer.headers).toEqual({ 'content-type': 'application/json', 'cache-control': 'no-store' })
  })

  test('never says why a delivery is not believed', () => {
    const answer = answerOf({ kind: 'forged', reason: 'timestamp_outside_tolerance', hint: 'the clock is off' })

    expect(answer.body).toBe('{"verdict":"forged"}')
  })

  test('says in whole seconds when to come back', () => {
    expect(answerOf(unavailable).headers).toMatchObject({ 'retry-after': '5' })
    expect(answerOf({ ...unavailable, retryAfterSeconds: 0 }).headers).toMatchObject({ 'retry-after': '1' })
  })

  test('lists the methods that are allowed', () => {
    const answer = answerOf({ kind: 'method_not_allowed', allowed: ['GET', 'POST'] })

    expect(answer.headers).toMatchObject({ allow: 'GET, POST' })
  })

  test('repeats neither the name of an unknown source nor that of an encoding', () => {
    expect(answerOf({ kind: 'unknown_source', source: '<script>' }).body).not.toContain('script')
    expect(answerOf({ kind: 'unsupported_encoding', encoding: '<script>' }).body).not.toContain('script')
  })

  test('cuts a long detail', () => {
    expect(answerOf({ kind: 'malformed', detail: 'x'.repeat(10_000) }).body?.length).toBeLessThan(400)
  })
})

describe('the answer to a batch', () => {
  test.each<[string, Outcome, number]>([
    ['one event is not durable', batch(accepted, rolledBack, unavailable), 503],
    ['one event was rolled back', batch(accepted, rolledBack), 500],
    ['one event waits for a worker', batch(processed, accepted, duplicate), 202],
    ['every event is done with', batch(processed, duplicate, ignored, deadLetter), 200],
    ['it holds no event', batch(), 200],
  ])('when %s', (_, outcome, status) => {
    expect(answerOf(outcome).status).toBe(status)
  })

  test('counts what became of its events', () => {
    expect(answerOf(batch(accepted, accepted, duplicate)).body).toBe('{"verdict":"batch","accepted":2,"duplicate":1}')
  })

  test('asks for as much patience as its slowest event', () => {
    const answer = answerOf(batch(unavailable, { ...unavailable, retryAfterSeconds: 30 }))

    expect(answer.headers).toMatchObject({ 'retry-after': '30' })
  })
})

describe('an answer of the provider', () => {
  const acknowledged = { status: 200, body: '[accepted]' }

  test.each([accepted, processed, duplicate, ignored, deadLetter, batch(accepted, deadLetter)])(
    'is given to %j',
    (outcome) => {
      expect(answerOf(outcome, { taken: () => acknowledged })).toBe(acknowledged)
    },
  )

  test.each<Outcome>([
    rolledBack,
    unavailable,
    batch(accepted, unavailable),
    batch(accepted, rolledBack),
    { kind: 'forged', reason: 'signature_missing' },
  ])('never hides %j', (outcome) => {
    expect(answerOf(outcome, { taken: () => acknowledged }).status).toBeGreaterThanOrEqual(400)
  })

  test('may differ between situations, and gives way to ours where there is none', () => {
    const onlyForDuplicates = { taken: (situation: string) => (situation === 'duplicate' ? acknowledged : undefined) }

    expect(answerOf(duplicate, onlyForDuplicates)).toBe(acknowledged)
    expect(answerOf(accepted, onlyForDuplicates).status).toBe(202)
    expect(answerOf(batch(duplicate, ignored), onlyForDuplicates)).toBe(acknowledged)
  })

  test('may be another status for what is not believed or not understood, but never one of success', () => {
    const careful = { taken: () => undefined, refused: { forged: 503, malformed: 422 } }

    expect(answerOf({ kind: 'forged', reason: 'signature_missing' }, careful).status).toBe(503)
    expect(answerOf({ kind: 'malformed', detail: 'No id.' }, careful).status).toBe(422)
    expect(answerOf({ kind: 'too_large', limitBytes: 10 }, careful).status).toBe(413)
    expect(
      answerOf({ kind: 'forged', reason: 'signature_missing' }, { taken: () => undefined, refused: { forged: 200 } })
        .status,
    ).toBe(401)
  })

  test('has no body when it is a refusal and the provider takes none', () => {
    const silent = { taken: () => undefined, refused: { withoutBody: true } } as const

    expect(answerOf({ kind: 'forged', reason: 'signature_mismatch' }, silent)).toEqual({ status: 401 })
    expect(answerOf({ kind: 'malformed', detail: 'No id.' }, silent)).toEqual({ status: 400 })
  })

  test("gives way to a handler's", () => {
    const answer = { status: 200, body: '<Response/>' }

    expect(answerOf({ ...processed, kind: 'processed', receiptId: '2', answer }, { taken: () => acknowledged })).toBe(
      answer,
    )
  })
})

test('an unexpected failure is told without its cause', () => {
  expect(errorAnswer).toMatchObject({ status: 500, body: '{"verdict":"error"}' })
})

test.each([
  { status: 101 },
  { status: 1000 },
  { status: 200.5 },
  { status: 200, headers: { 'x note': 'space' } },
  { status: 200, headers: { 'x-note': 'a\r\nb: c' } },
  { status: 200, headers: { 'x-note': '\u20ac' } },
])('HTTP does not allow %j', (answer) => {
  expect(sendable(answer)).toBeUndefined()
})

test('an answer goes out with lower-case names, and without a body where the status has none', () => {
  const headers = { 'Content-Type': 'text/xml' }

  expect(sendable({ status: 200, headers, body: '<a/>' })).toEqual({
    status: 200,
    headers: { 'content-type': 'text/xml' },
    body: '<a/>',
  })
  expect(sendable({ status: 204, body: 'x' })).toEqual({ status: 204, headers: {} })
})
