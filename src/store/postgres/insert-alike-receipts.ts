import { binaryArray } from './binary-arrays.ts'
import { envelopeOf } from './body-envelope.ts'
import { foundIn } from './find-known.ts'
import { type Candidate, type InsertedRow, isPlain } from './receipt-columns.ts'
import { madeOnce } from './schema-name.ts'
import type { CallValue, SendCall } from './sql-client.ts'
import { optionalText, storableText, storableTime } from './storable.ts'

/** The function is in the migrations. */
const recordSql = madeOnce(
  (schema) => `
  select ${schema}.record_alike(
    $1::text, $2::text, $3::smallint, $4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz[], $9::uuid[], $10::bytea[],
    $11::bytea[], $12::text[], $13::text, $14::text)`,
)

/** Whether they are events of one source for a worker, due at once, each with a body of its own, and nothing special about any of them. */
export function areAlike(candidates: readonly Candidate[]): boolean {
  const [first] = candidates
  if (first === undefined) return false
  const { environment, source, secretIndex } = first.receipt
  const bodyIds = new Set<string>()
  for (const candidate of candidates) {
    const { receipt } = candidate
    if (receipt.environment !== environment || receipt.source !== source || receipt.secretIndex !== secretIndex)
      return false
    if (receipt.disposition !== 'queued' || !isPlain(candidate)) return false
    bodyIds.add(receipt.body.id)
  }
  return bodyIds.size === candidates.length
}

/** One statement for all of them, with what they have in common said once. */
export async function insertAlike(
  {
    call,
    schema,
    wakeChannel,
  }: { readonly call: SendCall; readonly schema: string; readonly wakeChannel: string | undefined },
  candidates: readonly Candidate[],
): Promise<readonly InsertedRow[]> {
  const sorted = candidates.toSorted(byEventId)
  const answer = await call({ text: recordSql(schema), values: valuesOf(sorted, wakeChannel) })
  return rowsOf(answer.at(0)?.at(0) ?? '', sorted)
}

/** As most databases sort them: then the function need not bring its answers into the order given. */
function byEventId({ receipt: { eventId: one } }: Candidate, { receipt: { eventId: other } }: Candidate): number {
  return one < other ? -1 : 1
}

function valuesOf(candidates: readonly Candidate[], wakeChannel: string | undefined): CallValue[] {
  const receipts = candidates.map(({ receipt }) => receipt)
  const [first] = receipts
  const headers = receipts.map(({ body }) => envelopeOf(body))
  const areHeadersSame = headers.every((text) => text === headers[0])
  return [
    first?.environment ?? null,
    first?.source ?? null,
    first?.secretIndex === undefined ? null : String(first.secretIndex),
    binaryArray(
      'text',
      receipts.map(({ eventId }) => eventId),
    ),
    binaryArray(
      'text',
      receipts.map(({ event }) => storableText(event.type)),
    ),
    unlessEmpty(receipts.map(({ event }) => optionalText(event.deliveryId))),
    unlessEmpty(receipts.map(({ event }) => optionalText(event.objectId))),
    binaryArray(
      'timestamptz',
      receipts.map(({ event }) => storableTime(event.occurredAt)),
    ),
    binaryArray(
      'uuid',
      receipts.map(({ body }) => body.id),
    ),
    binaryArray(
      'bytea',
      receipts.map(({ body }) => body.hash),
    ),
    binaryArray(
      'bytea',
      receipts.map(({ body }) => body.stored?.content ?? body.content),
    ),
    areHeadersSame ? null : binaryArray('text', headers),
    areHeadersSame ? (headers[0] ?? null) : null,
    wakeChannel ?? null,
  ]
}

/** A column without a value is not sent: it is as empty without. */
function unlessEmpty(texts: readonly (string | null)[]): Buffer | null {
  return texts.every((text) => text === null) ? null : binaryArray('text', texts)
}

/** A word for each: the id of a new receipt, or a dash. Of the others, what is known is on the lines after that. */
function rowsOf(answer: string, candidates: readonly Candidate[]): readonly InsertedRow[] {
  const lineEnd = answer.indexOf('\n')
  const ids = (lineEnd < 0 ? answer : answer.slice(0, lineEnd)).split(' ')
  if (ids.length !== candidates.length) {
    throw new Error('The database did not answer for every receipt that it was given.')
  }
  const found = foundIn(lineEnd < 0 ? null : answer.slice(lineEnd + 1) || null)
  const rows: InsertedRow[] = []
  let others = 0
  for (const [place, candidate] of candidates.entries()) {
    const receiptId = ids[place] ?? notNew
    if (receiptId !== notNew) {
      rows.push({ candidate, outcome: 'inserted', receiptId })
      continue
    }
    const known = found.get(others)
    others += 1
    if (known === undefined) continue
    rows.push({
      candidate,
      outcome: 'known',
      receiptId: known.receiptId,
      status: known.status,
      bodyHash: known.bodyHash,
    })
  }
  return rows
}

const notNew = '-'
