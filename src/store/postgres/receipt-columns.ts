import type { NewReceipt, ReceiptStatus } from '../../receipt/receipt.ts'
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

/** Held by whoever runs the event. */
export function eventLockOf(schema: string, { environment, source, eventId }: NewReceipt): string {
  return lockNumber(['oncehook event', schema, environment, source, eventId])
}

/** The values of one column, as a type of the database. */
export type Column = {
  readonly [Type in keyof Elements]: readonly [Type, readonly (Elements[Type] | null)[]]
}[keyof Elements]

/** In the order in which the functions that record take them. */
export function columnsOf(candidates: readonly Candidate[], schema: string): readonly Column[] {
  const receipts = candidates.map(({ receipt }) => receipt)
  const bodies = [...new Map(receipts.map(({ body }) => [body.id, body])).values()]
  const keys = candidates.map((candidate) => keyOfBody(candidate) ?? null)
  return [
    ['text', receipts.map(({ environment }) => environment)],
    ['text', receipts.map(({ source }) => source)],
    ['text', receipts.map(({ eventId }) => eventId)],
    ['text', receipts.map(({ event }) => storableText(event.type))],
    ['text', receipts.map(({ event }) => optionalText(event.deliveryId))],
    ['text', receipts.map(({ event }) => optionalText(event.objectId))],
    ['timestamptz', receipts.map(({ event }) => storableTime(event.occurredAt))],
    ['uuid', receipts.map(({ body }) => body.id)],
    ['bytea', receipts.map(({ body }) => body.hash)],
    ['text', receipts.map(({ event }) => event.part?.replaceAll('\u0000', '\ufffd').toWellFormed() ?? null)],
    ['int2', receipts.map(({ secretIndex }) => secretIndex ?? null)],
    ['text', receipts.map(({ orderKey }) => storableOrderKey(orderKey))],
    ['text', receipts.map(initialStatus)],
    ['int4', receipts.map(initialAttempts)],
    ['text', receipts.map(({ adopted }) => adopted?.error ?? null)],
    ['bytea', keys],
    ['int8', keys.map((key) => key && lockNumber(['oncehook body', schema, hexadecimal(key)]))],
    ['text', candidates.map(({ repeatsEventId }) => repeatsEventId ?? null)],
    ['uuid', bodies.map(({ id }) => id)],
    ['bytea', bodies.map(({ content, stored }) => stored?.content ?? content)],
    ['text', bodies.map(envelopeOf)],
  ]
}
