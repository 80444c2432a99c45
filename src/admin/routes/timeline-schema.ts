import type { OutboxMessage, TimelineEntry } from '../../index.ts'
import { object, variants } from '../compound-schema.ts'
import { anyText, choice, describes, named, number, optional, type Schema, time, whole } from '../schema.ts'
import { receipt } from './receipt-schemas.ts'

/** A message of the outbox. */
export const message: Schema<OutboxMessage> = describes(
  named(
    'Message',
    object({
      id: anyText(),
      target: anyText(),
      key: anyText({ description: 'What the receiver dedupes on.' }),
      receiptId: optional(anyText({ description: 'Of the event whose handler added it; an alert has none.' })),
      status: choice(['pending', 'published', 'failed']),
      attempts: whole(),
      createdAt: time(),
      publishedAt: optional(time()),
      lastError: optional(anyText()),
    }),
  ),
)

const attempt = object({
  attempt: whole(),
  handler: anyText(),
  worker: anyText(),
  outcome: choice(['succeeded', 'failed', 'deferred', 'abandoned']),
  startedAt: time(),
  endedAt: time(),
  error: optional(anyText()),
})

const delivery = object({
  environment: anyText(),
  source: anyText(),
  eventId: optional(anyText()),
  deliveryId: optional(anyText()),
  kind: choice(['duplicate', 'mutated', 'replayed_body', 'forged', 'malformed', 'not_allowed']),
  at: time(),
  status: whole(),
  latencyMilliseconds: number(),
  detail: optional(anyText()),
  secretIndex: optional(whole()),
})

const note = object({ at: time(), by: anyText(), why: anyText() })

/** One line of a receipt's life. */
export const timelineEntry: Schema<TimelineEntry> = describes(
  named(
    'TimelineEntry',
    variants('kind', {
      received: object({ at: time(), receipt }),
      delivery: object({ at: time(), delivery }),
      attempt: object({ at: time(), attempt }),
      effect: object({ at: time(), key: anyText(), handler: anyText(), result: optional(anyText()) }),
      version: object({ at: time(), key: anyText(), version: anyText() }),
      message: object({ at: time(), message }),
      replay: note,
      hold: note,
      release: note,
    }),
  ),
)
