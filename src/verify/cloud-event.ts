import { fromDateText } from './dates.ts'
import type { ClaimedEvent } from './identity.ts'
import { field } from './object.ts'
import { compositeId } from './safe-id.ts'

/** A CloudEvent in its JSON form. An id is unique within its source only. */
export function claimedCloudEvent(event: unknown): ClaimedEvent {
  return {
    id: compositeId([field(event, 'source'), field(event, 'id')]),
    type: field(event, 'type'),
    objectId: field(event, 'subject'),
    occurredAt: fromDateText(field(event, 'time')),
  }
}
