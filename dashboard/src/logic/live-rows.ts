import type { LiveEvent } from '../api/live.ts'
import type { Receipt, ReceiptStatus } from '../api/types.ts'

/** One line of the list: an event of the ledger, or a request that was turned away and left none. */
export type Row =
  | { readonly kind: 'receipt'; readonly key: string; readonly receipt: ShownReceipt; readonly isNew: boolean }
  | { readonly kind: 'refusal'; readonly key: string; readonly refusal: RefusedDelivery }

/** What a line shows of a receipt: also known of one that was only heard of. */
export type ShownReceipt = Pick<
  Receipt,
  'id' | 'source' | 'eventId' | 'type' | 'objectId' | 'receivedAt' | 'status' | 'attempts' | 'deliveries' | 'lastError'
>

export type RefusedDelivery = {
  readonly at: string
  readonly source: string
  readonly outcome: string
  readonly status: number
  readonly reason: string | undefined
  readonly detail: string | undefined
}

export type RowFilter = {
  readonly source?: string | undefined
  readonly type?: string | undefined
  readonly status?: readonly string[] | undefined
  readonly q?: string | undefined
}

/** The list as it is seen: bounded, whatever comes. */
export type LiveRows = {
  readonly rows: readonly Row[]
  readonly isPaused: boolean
  /** What came while it was paused. */
  readonly held: readonly LiveEvent[]
  /** How many were left out of `held`, because nobody looked for too long. */
  readonly forgotten: number
}

export const mostRows = 200
const mostHeld = 1_000

export const noRows: LiveRows = { rows: [], isPaused: false, held: [], forgotten: 0 }

/** A page of the ledger is there. What was turned away since stays. */
export function withPage(before: LiveRows, page: readonly Receipt[]): LiveRows {
  const read = page.map((receipt): Row => ({ kind: 'receipt', key: receipt.id, receipt, isNew: false }))
  const refusals = before.rows.filter(({ kind }) => kind === 'refusal')
  const rows = [...refusals, ...read].toSorted((one, other) => (timeOf(one) < timeOf(other) ? 1 : -1))
  return { ...before, rows: rows.slice(0, mostRows), held: [], forgotten: 0 }
}

/** Something happened. While the list is paused it waits. */
export function withEvent(before: LiveRows, event: LiveEvent, filter: RowFilter): LiveRows {
  if (!before.isPaused) return { ...before, rows: rowsAfter(before.rows, event, filter) }
  const isFull = before.held.length >= mostHeld
  const held = [...before.held.slice(isFull ? 1 : 0), event]
  return { ...before, held, forgotten: before.forgotten + (isFull ? 1 : 0) }
}

export function paused(before: LiveRows): LiveRows {
  return { ...before, isPaused: true }
}

/** Goes on with all that came meanwhile. */
export function resumed({ rows, held }: LiveRows, filter: RowFilter): LiveRows {
  const caughtUp = held.reduce((all: readonly Row[], event) => rowsAfter(all, event, filter), rows)
  return { rows: caughtUp, isPaused: false, held: [], forgotten: 0 }
}

const firstStatuses: Readonly<Record<string, ReceiptStatus>> = {
  accepted: 'received',
  processed: 'processed',
  ignored: 'ignored',
}

const refusedOutcomes = new Set(['forged', 'malformed', 'refused', 'failed', 'unavailable'])

function rowsAfter(rows: readonly Row[], event: LiveEvent, filter: RowFilter): readonly Row[] {
  if (event.kind === 'handler') return changed(rows, event, (receipt) => afterRun(receipt, event))
  if (event.kind !== 'delivery') return rows
  const { outcome = '', receiptId } = event
  if (outcome === 'duplicate')
    return changed(rows, event, (receipt) => ({ ...receipt, deliveries: receipt.deliveries + 1 }))
  if (receiptId !== undefined && firstStatuses[outcome] !== undefined) {
    if (rows.some(({ key }) => key === receiptId)) return rows
    return added(rows, { kind: 'receipt', key: receiptId, receipt: receiptOf(event, receiptId), isNew: true }, filter)
  }
  if (!refusedOutcomes.has(outcome)) return rows
  const { at, source = '', status = 0, reason, detail } = event
  const refusal = { at, source, outcome, status, reason, detail }
  return added(rows, { kind: 'refusal', key: `${at} ${rows.length} ${source} ${outcome}`, refusal }, filter)
}

function receiptOf(event: LiveEvent, id: string): ShownReceipt {
  const { source = '', eventId = '', type = '', objectId, at, outcome = '' } = event
  const status = firstStatuses[outcome] ?? 'received'
  return { id, source, eventId, type, objectId: objectId ?? null, receivedAt: at, status, attempts: 0, deliveries: 1 }
}

function afterRun(receipt: ShownReceipt, { outcome, endsAs, attempt = 0, error }: LiveEvent): ShownReceipt {
  const attempts = Math.max(receipt.attempts, attempt)
  const lastError = error ?? receipt.lastError ?? null
  if (endsAs === 'processed') return { ...receipt, attempts, status: 'processed' }
  if (outcome === 'dead' || endsAs === 'failed') return { ...receipt, attempts, status: 'failed', lastError }
  if (outcome === 'retrying' || outcome === 'deferred') return { ...receipt, attempts, status: 'retrying', lastError }
  return { ...receipt, attempts }
}

function changed(
  rows: readonly Row[],
  { receiptId, source, eventId }: LiveEvent,
  change: (receipt: ShownReceipt) => ShownReceipt,
): readonly Row[] {
  const isMeant = (row: Row): boolean =>
    row.kind === 'receipt' &&
    (receiptId === undefined
      ? row.receipt.source === source && row.receipt.eventId === eventId
      : row.receipt.id === receiptId)
  return rows.map((row) => (row.kind === 'receipt' && isMeant(row) ? { ...row, receipt: change(row.receipt) } : row))
}

function added(rows: readonly Row[], row: Row, filter: RowFilter): readonly Row[] {
  return fits(row, filter) ? [row, ...rows].slice(0, mostRows) : rows
}

/** Whether a line that was heard of belongs to what is looked at. The ledger itself is asked by the API. */
export function fits(row: Row, { source, type, status, q }: RowFilter): boolean {
  const statuses = status ?? []
  if (row.kind === 'refusal') {
    const isWanted = statuses.length === 0 || statuses.includes('refused')
    return isWanted && type === undefined && q === undefined && (source === undefined || row.refusal.source === source)
  }
  const { receipt } = row
  return (
    (source === undefined || receipt.source === source) &&
    (type === undefined || receipt.type === type) &&
    (statuses.length === 0 || statuses.includes(receipt.status)) &&
    (q === undefined || [receipt.id, receipt.eventId, receipt.objectId, receipt.type].includes(q))
  )
}

function timeOf(row: Row): string {
  return row.kind === 'receipt' ? row.receipt.receivedAt : row.refusal.at
}
