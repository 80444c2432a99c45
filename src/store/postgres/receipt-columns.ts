import type { BodyToStore, NewReceipt, ReceiptStatus } from '../../receipt/receipt.ts'
import type { Elements } from './binary-arrays.ts'
import { envelopeOf } from './body-envelope.ts'
import { lockNumber } from './schema-name.ts'
import { hexadecimal, optionalText, storableOrderKey, storableText, storableTime } from './storable.ts'

/** A receipt that is about to be inserted. One that is known to repeat another's body leaves the key of the body to that one. */
export type Candidate = {
  readonly receipt: NewReceipt
  /** Receipts that share it share one decision. */
  readonly copyKey: string
  readonly repeatsEventId?: string
}

/**
 * What became of a candidate. `known`: a receipt with its id was there before. `busy`: another transaction is recording its signed body.
 * `locked`: another one is running the event itself.
 * Of one whose signed body alone was there before there is no row, and of none if the key of one of them is all that is left of an event.
 */
export type InsertedRow = { readonly candidate: Candidate } & (
  | { readonly outcome: 'inserted'; readonly receiptId: string }
  | {
      readonly outcome: 'known'
      readonly receiptId: string
      readonly status: ReceiptStatus
      readonly bodyHash: string
    }
  | { readonly outcome: 'busy' | 'locked' }
)

export function initialStatus({ disposition, adopted }: NewReceipt): Exclude<ReceiptStatus, 'processing'> {
  switch (disposition) {
    case 'queued':
      // Deferred before it ever counted as an attempt.
      return (adopted?.attempts ?? 0) === 0 ? 'received' : 'retrying'
    case 'inline':
      // Nobody sees it before the commit, and that comes when its handlers are done.
      return 'processed'
    case 'ignored':
      return 'ignored'
    case 'failed':
      return 'failed'
  }
}

function initialAttempts({ disposition, adopted }: NewReceipt): number {
  return adopted?.attempts ?? (disposition === 'inline' ? 1 : 0)
}

/** The key that the receipt is to have. */
export function keyOfBody({ receipt, repeatsEventId }: Candidate): Uint8Array | undefined {
  return repeatsEventId === undefined ? receipt.signedBody?.key : undefined
}

/** Whether there is nothing special about it: an event for a worker, due at once, or for handlers before the answer. */
export function isPlain({ receipt, repeatsEventId }: Candidate): boolean {
  const { disposition, adopted, isKeyKept, signedBody, orderKey, event } = receipt
  if (disposition !== 'queued' && disposition !== 'inline') return false
  if (adopted !== undefined || isKeyKept === true) return false
  if (signedBody !== undefined || repeatsEventId !== undefined) return false
  return orderKey === undefined && event.part === undefined
}

/** Held by whoever runs the event. */
export function eventLockOf(schema: string, { environment, source, eventId }: NewReceipt): string {
  return lockNumber(['oncehook event', schema, environment, source, eventId])
}

/** The values of one column, as a type of the database. */
export type Column = {
  readonly [Type in keyof Elements]: readonly [Type, readonly (Elements[Type] | null)[]]
}[keyof Elements]

type ColumnOf<Item> = {
  readonly [Type in keyof Elements]: readonly [Type, (item: Item, schema: string) => Elements[Type] | null]
}[keyof Elements]

const receiptColumns: readonly ColumnOf<Candidate>[] = [
  ['text', ({ receipt }) => receipt.environment],
  ['text', ({ receipt }) => receipt.source],
  ['text', ({ receipt }) => receipt.eventId],
  ['text', ({ receipt }) => storableText(receipt.event.type)],
  ['text', ({ receipt }) => optionalText(receipt.event.deliveryId)],
  ['text', ({ receipt }) => optionalText(receipt.event.objectId)],
  ['timestamptz', ({ receipt }) => storableTime(receipt.event.occurredAt)],
  ['uuid', ({ receipt }) => receipt.body.id],
  ['bytea', ({ receipt }) => receipt.body.hash],
  ['text', ({ receipt }) => receipt.event.part?.replaceAll('\u0000', '\ufffd').toWellFormed() ?? null],
  ['int2', ({ receipt }) => receipt.secretIndex ?? null],
  ['text', ({ receipt }) => storableOrderKey(receipt.orderKey)],
  ['text', ({ receipt }) => initialStatus(receipt)],
  ['int4', ({ receipt }) => initialAttempts(receipt)],
  ['text', ({ receipt }) => receipt.adopted?.error ?? null],
  ['bytea', (candidate) => keyOfBody(candidate) ?? null],
  ['int8', bodyLockOf],
  ['text', ({ repeatsEventId }) => repeatsEventId ?? null],
]

const bodyId: ColumnOf<BodyToStore> = ['uuid', ({ id }) => id]
const storedColumns: readonly ColumnOf<BodyToStore>[] = [
  ['bytea', ({ content, stored }) => stored?.content ?? content],
  ['text', envelopeOf],
]

function bodyLockOf(candidate: Candidate, schema: string): string | null {
  const key = keyOfBody(candidate)
  return key === undefined ? null : lockNumber(['oncehook body', schema, hexadecimal(key)])
}

/** In the order in which the function that records many takes them. */
export function columnsOf(candidates: readonly Candidate[], schema: string): readonly Column[] {
  const bodies = [...new Map(candidates.map(({ receipt: { body } }) => [body.id, body])).values()]
  return [
    ...receiptColumns.map((column) => columnFrom(column, candidates, schema)),
    ...[bodyId, ...storedColumns].map((column) => columnFrom(column, bodies, schema)),
  ]
}

function columnFrom<Item>([type, valueOf]: ColumnOf<Item>, items: readonly Item[], schema: string): Column {
  return [type, items.map((item) => valueOf(item, schema))] as unknown as Column
}

/** What a plain one has, as the function for these takes it. */
export function plainValuesOf({ receipt }: Candidate): Value[] {
  const { environment, source, eventId, event, body, secretIndex } = receipt
  return [
    environment,
    source,
    eventId,
    storableText(event.type),
    optionalText(event.deliveryId),
    optionalText(event.objectId),
    storableTime(event.occurredAt),
    body.id,
    body.hash,
    secretIndex ?? null,
    initialStatus(receipt),
    body.stored?.content ?? body.content,
    envelopeOf(body),
  ]
}

/** The same for the function that records one. It needs no id for the body, which is the receipt's. */
export function valuesOf(candidate: Candidate, schema: string): Value[] {
  const { body } = candidate.receipt
  const values: Value[] = []
  for (const [, valueOf] of receiptColumns) values.push(valueOf(candidate, schema))
  for (const [, valueOf] of storedColumns) values.push(valueOf(body, schema))
  return values
}

export type Value = Elements[keyof Elements] | null
