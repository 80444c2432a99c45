import type { Receipt } from '../../index.ts'
import { object } from '../compound-schema.ts'
import { anyText, choice, describes, named, optional, type Schema, text, time, whole } from '../schema.ts'

export const receiptStatuses = [
  'received',
  'processing',
  'processed',
  'retrying',
  'failed',
  'ignored',
  'stale',
  'same_change',
] as const

/** The id of a receipt, of a message, of an alert: a number, as text. */
export const id: Schema<string> = text({ most: 18, pattern: /^\d{1,18}$/, expected: 'an id: digits only' })

export const receipt: Schema<Receipt> = describes(
  named(
    'Receipt',
    object({
      id: anyText(),
      environment: anyText(),
      source: anyText(),
      eventId: anyText(),
      type: anyText(),
      deliveryId: optional(anyText()),
      objectId: optional(anyText()),
      occurredAt: optional(time({ description: "By the provider's clock." })),
      receivedAt: time(),
      status: choice(receiptStatuses),
      attempts: whole(),
      processedAt: optional(time()),
      nextAttemptAt: optional(time()),
      lastError: optional(anyText()),
      deliveries: whole({ description: 'How often it was delivered, the first time included.' }),
      secretIndex: optional(whole({ description: 'Which of the source’s secrets verified it; 0 is the first.' })),
      bodyHash: anyText({ description: 'SHA-256 of the body, in hex.' }),
      origin: choice(['webhook', 'backfill', 'import', 'shadow']),
      repeatsEventId: optional(anyText({ description: 'The event whose signed body came again under this id.' })),
      heldAt: optional(time({ description: 'Since when it is held: it stays, however old it gets.' })),
    }),
  ),
)
