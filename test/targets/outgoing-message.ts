import type { OutgoingMessage } from '../../src/targets/target.ts'

let count = 0

/** A message as the relay hands it to a target; unlike every other unless told otherwise. */
export function outgoingMessage(parts: Partial<OutgoingMessage> = {}): OutgoingMessage {
  count += 1
  const message = parts.message ?? { invoice: `in_${count}`, amount: 4200 }
  return {
    id: String(count),
    idempotencyKey: `oncehook:stripe:evt_${count}:receipt-email`,
    target: 'accounting',
    message,
    json: JSON.stringify(message),
    attempt: 1,
    createdAt: new Date('2026-01-01T00:00:00Z'),
    cause: { source: 'stripe', eventId: `evt_${count}`, receiptId: String(1000 + count) },
    ...parts,
  }
}

/** Of a span, as messages that are traced have one. */
export const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

/** A signal that nobody aborts. */
export function patient(): AbortSignal {
  return new AbortController().signal
}
