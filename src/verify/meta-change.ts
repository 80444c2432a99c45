import { digestOf } from './derived-identity.ts'
import type { ClaimedEvent } from './identity.ts'
import { field } from './object.ts'
import { compositeId } from './safe-id.ts'

/** A change of Meta's that has no id. The entry's time is part of the key: being banned twice is two events. */
export function metaChange(entry: unknown, change: unknown, part: string): ClaimedEvent {
  const [type, owner] = [field(change, 'field'), field(entry, 'id')]
  return {
    id: compositeId([type, owner, digestOf([field(entry, 'time'), field(change, 'value')])]),
    type,
    objectId: owner,
    part,
  }
}
