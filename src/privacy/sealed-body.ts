import type { StoredForm } from '../receipt/receipt.ts'
import type { StoredBody } from '../store/store.ts'
import { cannotDecrypt } from './encryption-errors.ts'
import type { NamedKey } from './key-ring.ts'
import type { Redaction } from './redaction.ts'
import { open, seal } from './seal.ts'

/** Which body it is: what is encrypted for one cannot be read as another. */
export type BodyPlace = { readonly environment: string; readonly source: string; readonly bodyId: string }

/** What is encrypted before the bytes of a body. */
type Preface = {
  readonly headers: StoredBody['headers']
  /** The events that the delivery held; not known of bodies that were stored before they were encrypted. */
  readonly eventIds?: readonly string[] | undefined
}

/** The body with its bytes and headers encrypted together. What was left out of it before is not encrypted, but cannot be changed either. */
export function sealBody(
  { id, key }: NamedKey,
  place: BodyPlace,
  { content, headers, redaction, eventIds }: StoredForm & Preface,
): StoredForm {
  const preface = Buffer.from(JSON.stringify({ headers, eventIds } satisfies Preface))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(preface.length)
  const plain = Buffer.concat([length, preface, content])
  return { content: seal(key, plain, contextOf(place, id, redaction)), headers: [], redaction, keyId: id }
}

/** Throws `ONCEHOOK_CANNOT_DECRYPT`, also if it is the body of other events. */
export function openBody(
  { id, key }: NamedKey,
  place: BodyPlace,
  { content, redaction, eventId }: Pick<StoredBody, 'content' | 'redaction'> & { readonly eventId?: string },
): StoredBody & Preface {
  const plain = open(key, content, contextOf(place, id, redaction))
  const start = plain === undefined ? 0 : 4 + plain.readUInt32BE(0)
  const preface = plain && (JSON.parse(plain.toString('utf8', 4, start)) as Preface)
  const isOfEvent = eventId === undefined || preface?.eventIds === undefined || preface.eventIds.includes(eventId)
  if (plain === undefined || preface === undefined || !isOfEvent) {
    throw cannotDecrypt(`The body ${place.bodyId} of source ${place.source}`, id)
  }
  return { content: plain.subarray(start), ...preface, ...(redaction !== undefined && { redaction }) }
}

function contextOf(
  { environment, source, bodyId }: BodyPlace,
  keyId: string,
  redaction: Redaction | undefined,
): readonly string[] {
  return ['body', keyId, environment, source, bodyId, JSON.stringify(redaction ?? null)]
}
