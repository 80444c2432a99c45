import type { DeliveryEvent, HandlerEvent, InboxEvent } from '../../index.ts'

/** One line of the list: an event with what became of it, or a delivery that was turned away. */
export type Row = {
  readonly key: string
  /** In the order of arrival. */
  readonly number: number
  readonly at: Date
  readonly source: string
  readonly type: string | undefined
  readonly eventId: string | undefined
  /** Undefined: nothing was recorded. */
  readonly receiptId: string | undefined
  readonly state: RowState
  /** What the endpoint answered last, and how long that took. */
  readonly answerStatus: number | undefined
  readonly tookMilliseconds: number | undefined
  /** How often it came again while somebody was looking. */
  readonly copies: number
  readonly attempt: number
  readonly nextAttemptAt: Date | undefined
  /** What went wrong. */
  readonly remark: string | undefined
}

export type RowState =
  | 'queued'
  | 'processed'
  | 'retrying'
  | 'deferred'
  | 'failed'
  | 'recorded'
  | 'duplicate'
  | 'handshake'
  | 'forged'
  | 'malformed'
  | 'refused'
  | 'unavailable'

/** Newest first. */
export type Rows = { readonly list: readonly Row[]; readonly count: number }

export const noRows: Rows = { list: [], count: 0 }

/** Whoever needs more looks into the ledger. */
const mostRows = 1000

/** The list after something has happened. Deliveries and runs may come in any order. */
export function afterEvent(rows: Rows, event: InboxEvent, at: Date): Rows {
  if (event.kind === 'delivery') return afterDelivery(rows, event, at)
  return event.kind === 'handler' ? afterRun(rows, event, at) : rows
}

/** The row of a receipt as it waits to be run again. */
export function afterReplay(rows: Rows, receiptId: string): Rows {
  const waiting = { state: 'queued', answerStatus: undefined, tookMilliseconds: undefined, remark: undefined } as const
  return { ...rows, list: rows.list.map((row) => (row.receiptId === receiptId ? { ...row, ...waiting } : row)) }
}

function afterDelivery(rows: Rows, event: DeliveryEvent, at: Date): Rows {
  const known = find(rows, event)
  const state = stateOfDelivery[event.outcome]
  if (state === 'duplicate') {
    return known === undefined
      ? added(rows, event, { at, state, copies: 1, remark: remarkOf(event) })
      : changed(rows, known, { copies: known.copies + 1 })
  }
  if (known === undefined) return added(rows, event, { at, state, copies: 0, remark: remarkOf(event) })
  // The run may have ended before the answer was out.
  if (known.state !== 'queued' || state === 'queued') return rows
  return changed(rows, known, { state, remark: remarkOf(event) })
}

function afterRun(rows: Rows, event: HandlerEvent, at: Date): Rows {
  const { attempt, answerStatus, tookMilliseconds, nextAttemptInSeconds: seconds } = event
  const known = find(rows, event)
  const state = stateOfRun(event) ?? known?.state ?? 'queued'
  const news = {
    state,
    attempt,
    answerStatus,
    // Nothing was sent while the endpoint was left alone.
    tookMilliseconds: event.outcome === 'deferred' ? undefined : tookMilliseconds,
    nextAttemptAt: seconds === undefined ? undefined : new Date(at.getTime() + seconds * 1000),
    remark: state === 'processed' ? undefined : event.error,
  }
  return known === undefined ? added(rows, event, { at, copies: 0, ...news }) : changed(rows, known, news)
}

const stateOfDelivery: Readonly<Record<DeliveryEvent['outcome'], RowState>> = {
  accepted: 'queued',
  processed: 'processed',
  duplicate: 'duplicate',
  ignored: 'recorded',
  handshake: 'handshake',
  forged: 'forged',
  malformed: 'malformed',
  refused: 'refused',
  failed: 'failed',
  unavailable: 'unavailable',
}

/** Undefined: it says nothing about the event as a whole. */
function stateOfRun({ outcome, endsAs }: HandlerEvent): RowState | undefined {
  switch (outcome) {
    case 'succeeded':
      return endsAs === 'processed' ? 'processed' : undefined
    case 'retrying':
    case 'rolled_back':
      return 'retrying'
    case 'deferred':
      return 'deferred'
    case 'dead':
      return 'failed'
    case 'lease_lost':
    case 'abandoned':
      return undefined
  }
}

type Named = Pick<DeliveryEvent, 'source' | 'type' | 'eventId' | 'receiptId'>

function find({ list }: Rows, { receiptId }: Named): Row | undefined {
  return receiptId === undefined ? undefined : list.find((row) => row.receiptId === receiptId)
}

function added(
  { list, count }: Rows,
  { source, type, eventId, receiptId }: Named,
  news: Pick<Row, 'at' | 'state' | 'copies' | 'remark'> & Partial<Row>,
): Rows {
  const number = count + 1
  const row: Row = {
    key: receiptId ?? `turned away ${number}`,
    number,
    source,
    type,
    eventId,
    receiptId,
    answerStatus: undefined,
    tookMilliseconds: undefined,
    attempt: 0,
    nextAttemptAt: undefined,
    ...news,
  }
  return { list: [row, ...list].slice(0, mostRows), count: number }
}

function changed(rows: Rows, known: Row, news: Partial<Row>): Rows {
  return { ...rows, list: rows.list.map((row) => (row === known ? { ...row, ...news } : row)) }
}

function remarkOf({ reason, detail }: DeliveryEvent): string | undefined {
  const text = [reason, detail].filter((part) => part !== undefined).join(': ')
  return text === '' ? undefined : text
}
