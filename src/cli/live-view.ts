import type { DeliveryEvent, HandlerEvent, InboxEvent, InboxNotice } from '../index.ts'
import type { Colour, Paint } from './colour.ts'
import { describeDuration, timeOfDay } from './duration.ts'
import { printable, shortened } from './printable.ts'
import { padded } from './table.ts'

/** One line of the live view. */
type Line = {
  readonly verdict: string
  readonly colour: Colour
  readonly source: string
  readonly type?: string | undefined
  readonly eventId?: string | undefined
  readonly receiptId?: string | undefined
  readonly measure: string
  readonly remark?: string | undefined
}

const widths = { time: 12, source: 10, verdict: 11, type: 26, eventId: 30, receiptId: 8, measure: 10 } as const

/** The titles of the columns. */
export function viewTitles(): string {
  return columns(['TIME', 'SOURCE', 'VERDICT', 'TYPE', 'EVENT', 'RECEIPT', 'TOOK', ''])
}

/** What happened, as one line for people. */
export function viewLine(event: InboxEvent, at: Date, paint: Paint): string {
  if (event.kind === 'notice') return noticeLine(event, at, paint)
  const line = event.kind === 'delivery' ? deliveryLine(event) : handlerLine(event)
  return columns([
    paint('dim', timeOfDay(at)),
    shortened(printable(line.source), 24),
    paint(line.colour, line.verdict),
    shortened(printable(line.type ?? '-'), widths.type),
    shortened(printable(line.eventId ?? '-'), 40),
    line.receiptId ?? '-',
    line.measure,
    line.remark === undefined ? '' : paint(line.colour, shortened(printable(line.remark), 300)),
  ])
}

function columns(cells: readonly string[]): string {
  const room = Object.values(widths)
  return cells
    .map((cell, index) => padded(cell, room[index] ?? 0))
    .join('  ')
    .trimEnd()
}

function deliveryLine(event: DeliveryEvent): Line {
  const { outcome, source, type, eventId, receiptId, reason, detail, latencyMilliseconds } = event
  const remark = [reason, detail].filter((part) => part !== undefined).join(': ')
  return {
    verdict: outcome,
    colour: deliveryColour(outcome),
    source,
    type,
    eventId,
    receiptId,
    measure: describeDuration(latencyMilliseconds),
    ...(remark !== '' && { remark }),
  }
}

function deliveryColour(outcome: DeliveryEvent['outcome']): Colour {
  switch (outcome) {
    case 'accepted':
    case 'handshake':
      return 'cyan'
    case 'processed':
      return 'green'
    case 'duplicate':
      return 'magenta'
    case 'ignored':
      return 'dim'
    case 'malformed':
    case 'refused':
    case 'unavailable':
      return 'yellow'
    case 'forged':
    case 'failed':
      return 'red'
  }
}

function handlerLine(event: HandlerEvent): Line {
  const { outcome, source, type, eventId, receiptId, attempt, error, nextAttemptInSeconds, tookMilliseconds } = event
  const again = nextAttemptInSeconds === undefined ? '' : `, again in ${describeDuration(nextAttemptInSeconds * 1000)}`
  const reason = error === undefined ? '' : `: ${error}`
  const isPlain = outcome === 'succeeded' && attempt === 1
  return {
    ...handlerVerdict(outcome),
    source,
    type,
    eventId,
    receiptId,
    measure: describeDuration(tookMilliseconds),
    ...(!isPlain && { remark: `attempt ${attempt}${again}${reason}` }),
  }
}

function handlerVerdict(outcome: HandlerEvent['outcome']): { readonly verdict: string; readonly colour: Colour } {
  switch (outcome) {
    case 'succeeded':
      return { verdict: 'processed', colour: 'green' }
    case 'retrying':
      return { verdict: 'retried', colour: 'yellow' }
    case 'deferred':
      return { verdict: 'deferred', colour: 'cyan' }
    case 'dead':
      return { verdict: 'dead', colour: 'red' }
    case 'rolled_back':
      return { verdict: 'rolled back', colour: 'yellow' }
    case 'lease_lost':
      return { verdict: 'lease lost', colour: 'yellow' }
  }
}

function noticeLine({ level, message, error }: InboxNotice, at: Date, paint: Paint): string {
  const colour = level === 'error' ? 'red' : level === 'warning' ? 'yellow' : 'dim'
  const text = error === undefined ? message : `${message} ${error}`
  return `${padded(paint('dim', timeOfDay(at)), widths.time)}  ${paint(colour, `${level}: ${printable(text)}`)}`
}
