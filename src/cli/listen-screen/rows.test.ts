import { describe, expect, test } from 'vitest'
import type { DeliveryEvent, HandlerEvent, InboxEvent } from '../../index.ts'
import { afterEvent, afterReplay, noRows, type Rows } from './rows.ts'

const at = new Date('2026-01-02T03:04:05.000Z')

function after(events: readonly InboxEvent[], from: Rows = noRows): Rows {
  return events.reduce((rows, event) => afterEvent(rows, event, at), from)
}

describe('the rows of the list', () => {
  test('are one for each event, newest first, with its copies and its answer', () => {
    const { list } = after([
      delivery({ receiptId: '1' }),
      run({ receiptId: '1', outcome: 'succeeded', endsAs: 'processed', answerStatus: 204, tookMilliseconds: 12 }),
      delivery({ receiptId: '2', eventId: 'evt_2' }),
      delivery({ receiptId: '1', outcome: 'duplicate' }),
      delivery({ receiptId: '1', outcome: 'duplicate' }),
    ])

    expect(list).toMatchObject([
      { receiptId: '2', state: 'queued', copies: 0 },
      { receiptId: '1', state: 'processed', copies: 2, answerStatus: 204, tookMilliseconds: 12, remark: undefined },
    ])
  })

  test('say what was tried, what went wrong, and when the next attempt is', () => {
    const error = 'Error: localhost:3000 could not be reached: ECONNREFUSED.'
    const [row] = after([
      delivery({ receiptId: '1' }),
      run({ receiptId: '1', outcome: 'retrying', attempt: 2, nextAttemptInSeconds: 4, error }),
    ]).list

    expect(row).toMatchObject({ state: 'retrying', attempt: 2, remark: error, answerStatus: undefined })
    expect(row?.nextAttemptAt).toEqual(new Date('2026-01-02T03:04:09.000Z'))
  })

  test('are right when the run ended before the answer was out', () => {
    const { list } = after([
      run({ receiptId: '1', outcome: 'succeeded', endsAs: 'processed' }),
      delivery({ receiptId: '1', outcome: 'accepted' }),
    ])

    expect(list).toMatchObject([{ state: 'processed' }])
  })

  test('are many for what was turned away, each with its reason', () => {
    const forged = delivery({ outcome: 'forged', reason: 'signature_mismatch', detail: 'No.' })

    const { list } = after([forged, forged])

    expect(list).toMatchObject([
      { state: 'forged', remark: 'signature_mismatch: No.', receiptId: undefined },
      { state: 'forged' },
    ])
    expect(new Set(list.map(({ key }) => key)).size).toBe(2)
  })

  test('show a copy of what came before somebody looked', () => {
    expect(after([delivery({ receiptId: '1', outcome: 'duplicate' })]).list).toMatchObject([
      { state: 'duplicate', copies: 1 },
    ])
  })

  test('wait for the next answer once replayed', () => {
    const done = after([run({ receiptId: '1', outcome: 'dead', endsAs: 'failed', answerStatus: 500, error: 'no' })])

    const waiting = afterReplay(done, '1')

    expect(waiting.list).toMatchObject([{ state: 'queued', answerStatus: undefined, remark: undefined }])
    expect(
      after([run({ receiptId: '1', outcome: 'succeeded', endsAs: 'processed', answerStatus: 200 })], waiting).list,
    ).toMatchObject([{ state: 'processed', answerStatus: 200 }])
  })

  test('are a thousand at most', () => {
    const { list, count } = after(Array.from({ length: 1100 }, (_, index) => delivery({ receiptId: String(index) })))

    expect([list.length, count, list[0]?.receiptId]).toEqual([1000, 1100, '1099'])
  })
})

function delivery(more: Partial<DeliveryEvent>): DeliveryEvent {
  const usual = {
    outcome: 'accepted',
    source: 'stripe',
    correlationId: 'c',
    status: 202,
    latencyMilliseconds: 1,
  } as const
  return { kind: 'delivery', eventId: 'evt_1', type: 'invoice.paid', ...usual, ...more }
}

function run(more: Partial<HandlerEvent> & Pick<HandlerEvent, 'outcome'>): HandlerEvent {
  const usual = { environment: 'default', source: 'stripe', eventId: 'evt_1', type: 'invoice.paid' } as const
  return { kind: 'handler', ...usual, handler: 'h', correlationId: 'c', attempt: 1, tookMilliseconds: 3, ...more }
}
