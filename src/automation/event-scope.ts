import type { WebhookEvent } from '../effects/handler.ts'
import { isOncehookError } from '../errors.ts'
import { requestOf } from './capture-source.ts'
import type { Scope } from './scope.ts'

/** An event, as steps name its parts. A body that is no JSON is its text. */
export function scopeOf(event: WebhookEvent): Scope {
  const { id, type, source, receiptId, objectId = null, occurredAt, receivedAt, headers } = event
  return {
    body: bodyOf(event),
    headers: Object.fromEntries(headers),
    event: {
      id,
      type,
      source,
      receiptId,
      objectId,
      occurredAt: occurredAt?.toISOString() ?? null,
      receivedAt: receivedAt.toISOString(),
    },
    request: requestOf(event),
  }
}

function bodyOf(event: WebhookEvent): unknown {
  try {
    return event.payload
  } catch (error) {
    if (isOncehookError(error, 'ONCEHOOK_PAYLOAD_NOT_JSON')) return Buffer.from(event.body).toString('utf8')
    throw error
  }
}
