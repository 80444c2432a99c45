import { describe, expect, test } from 'vitest'
import type { StoredBody } from '../store/store.ts'
import { createWebhookEvent } from './webhook-event.ts'

const eventWith = (body: StoredBody) =>
  createWebhookEvent({
    source: 'stripe',
    event: { id: 'evt_1', type: 'invoice.paid' },
    receiptId: '7',
    receivedAt: new Date(0),
    body,
    bodyId: '0195d7a0-0000-7000-8000-000000000000',
    readDocument: undefined,
  })

describe('the payload of an event', () => {
  test('that was read as text is parsed without making its bytes', () => {
    let timesMade = 0
    const event = eventWith({
      headers: [['content-type', 'application/json']],
      text: '{"amount":7}',
      get content() {
        timesMade += 1
        return Buffer.from('{"amount":7}')
      },
    })

    const { payload } = event
    const madeForPayload = timesMade

    expect(payload).toEqual({ amount: 7 })
    expect(madeForPayload).toBe(0)
    expect(Buffer.from(event.body).toString()).toBe('{"amount":7}')
  })

  test('that was read as bytes is parsed from them', () => {
    expect(eventWith({ headers: [], content: Buffer.from('{"amount":7}') }).payload).toEqual({ amount: 7 })
  })
})
