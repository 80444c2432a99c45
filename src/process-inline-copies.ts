import type { InlineResult } from './process-inline.ts'
import type { NewReceipt } from './receipt/receipt.ts'

/** What became of the copy that ran. */
export type SettledRun = { readonly result: InlineResult; readonly receipt: NewReceipt }

/** The copy that ran in this process has committed, so there is no need to ask the database. */
export function asDuplicate(settled: SettledRun | undefined, copy: NewReceipt): InlineResult | undefined {
  if (settled?.result.kind !== 'processed') return undefined
  const { receiptId } = settled.result
  const { eventId, body } = settled.receipt
  const duplicate = { kind: 'duplicate', receiptId, status: 'processed' } as const
  if (eventId === copy.eventId) return { ...duplicate, isMutated: Buffer.compare(body.hash, copy.body.hash) !== 0 }
  const isRepeated = copy.signedBody?.whenRepeated === 'duplicate'
  return isRepeated ? { ...duplicate, isMutated: false, repeatsEventId: eventId } : undefined
}

/** What copies of an event share: its id, and where that is not signed the body. */
export function keysOf({ source, eventId, signedBody }: NewReceipt): readonly string[] {
  const id = `${source}\n${eventId}`
  return signedBody === undefined ? [id] : [id, Buffer.from(signedBody.key).toString('hex')]
}
