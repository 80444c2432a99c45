import type {
  CaptureEvent,
  DeliveryEvent,
  HandlerEvent,
  InboxEvent,
  InboxNotice,
  MessageEvent,
  UpkeepEvent,
} from '../index.ts'
import type { Colour, Paint } from './colour.ts'
import { describeDuration, timeOfDay } from './duration.ts'
import { forwardAdvice } from './forward-advice.ts'
import { printable, shortened } from './printable.ts'
import { padded, widthOf } from './table.ts'

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

/** Draws what happens, one line each. */
export type LiveView = {
  /** The titles of the columns. */
  readonly titles: () => string
  readonly line: (event: InboxEvent, at: Date) => string
}

/** Columns begin narrow and grow with what they have held, so that they stay aligned and no id is cut off. */
export function createLiveView(paint: Paint): LiveView {
  const widths = [12, 8, 9, 20, 28, 7, 8]
  const columns = (cells: readonly string[]): string => {
    const filled = cells.map((cell, index) => {
      widths[index] = Math.max(widths[index] ?? 0, widthOf(cell))
      return index === cells.length - 1 ? cell : padded(cell, widths[index] ?? 0)
    })
    return filled.join('  ').trimEnd()
  }
  return {
    titles: () => columns(['TIME', 'SOURCE', 'VERDICT', 'TYPE', 'EVENT', 'RECEIPT', 'TOOK', '']),
    line(event, at) {
      const time = paint('dim', timeOfDay(at))
      if (event.kind === 'notice') return `${time}  ${noticeText(event, paint)}`
      const line = lineOf(event)
      return columns([
        time,
        shortened(printable(line.source), 24),
        paint(line.colour, line.verdict),
        shortened(printable(line.type ?? '-'), 40),
        shortened(printable(line.eventId ?? '-'), 60),
        line.receiptId ?? '-',
        line.measure,
        line.remark === undefined ? '' : paint(line.colour, shortened(printable(line.remark), 300)),
      ])
    },
  }
}

function lineOf(event: Exclude<InboxEvent, InboxNotice>): Line {
  switch (event.kind) {
    case 'delivery':
      return deliveryLine(event)
    case 'handler':
      return handlerLine(event)
    case 'effect':
      return { ...event, verdict: event.outcome, colour: 'dim', measure: '-', remark: event.key }
    case 'message':
      return messageLine(event)
    case 'upkeep':
      return upkeepLine(event)
    case 'capture':
      return captureLine(event)
  }
}

function captureLine(event: CaptureEvent): Line {
  const { outcome, endpoint, captureId, method, path, status, rule, problem, provider, type } = event
  const answer = status === undefined ? outcome : String(status)
  const colours: Readonly<Record<string, Colour>> = { 2: 'green', 3: 'cyan', 4: 'yellow' }
  const remarks = [
    ...(problem === undefined ? [] : [problem.replaceAll('_', ' ')]),
    ...(rule === undefined ? [] : [`by ${rule}`]),
    ...(captureId === undefined ? [] : [`capture ${captureId}`]),
  ]
  return {
    verdict: `captured ${answer}`,
    colour: colours[String(Math.floor((status ?? 0) / 100))] ?? 'red',
    source: endpoint,
    type: type === undefined ? `${method} ${path}`.trim() : `${provider} ${type}`,
    eventId: event.eventId,
    measure: describeDuration(event.tookMilliseconds),
    ...(remarks.length > 0 && { remark: remarks.join(', ') }),
  }
}

function upkeepLine({ task, outcome, tookMilliseconds, counts, error }: UpkeepEvent): Line {
  const done = Object.entries(counts).flatMap(([name, count]) => (count === 0 ? [] : [`${name} ${count}`]))
  const remark = error ?? done.join(', ')
  return {
    verdict: 'upkeep',
    colour: outcome === 'failed' ? 'red' : 'dim',
    source: '-',
    type: task,
    measure: describeDuration(tookMilliseconds),
    remark: remark === '' ? outcome : `${outcome}: ${remark}`,
  }
}

function messageLine(event: MessageEvent): Line {
  const { outcome, source, eventId, receiptId, target, attempt, nextAttemptInSeconds, error } = event
  const colour = outcome === 'published' ? 'green' : outcome === 'dead' ? 'red' : 'yellow'
  const again = nextAttemptInSeconds === undefined ? '' : `, again in ${describeDuration(nextAttemptInSeconds * 1000)}`
  const reason = error === undefined ? '' : `: ${error}`
  const remark = outcome === 'published' ? `to ${target}` : `to ${target}, attempt ${attempt}${again}${reason}`
  return {
    verdict: outcome === 'published' ? 'sent' : `send ${outcome}`,
    colour,
    source,
    eventId,
    receiptId,
    measure: '-',
    remark,
  }
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
  const reason =
    error === undefined ? '' : `: ${[error, forwardAdvice(error)].filter((text) => text !== undefined).join(' ')}`
  const isPlain = outcome === 'succeeded' && attempt === 1
  const answer = event.answerStatus === undefined ? [] : [`answered ${event.answerStatus}`]
  const remarks = [...(isPlain ? [] : [`attempt ${attempt}${again}${reason}`]), ...(error === undefined ? answer : [])]
  return {
    ...handlerVerdict(outcome),
    source,
    type,
    eventId,
    receiptId,
    measure: describeDuration(tookMilliseconds),
    ...(remarks.length > 0 && { remark: remarks.join(', ') }),
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
    case 'abandoned':
      return { verdict: 'abandoned', colour: 'yellow' }
  }
}

function noticeText({ level, message, error }: InboxNotice, paint: Paint): string {
  const colour = level === 'error' ? 'red' : level === 'warning' ? 'yellow' : 'dim'
  const text = error === undefined ? message : `${message} ${error}`
  return paint(colour, `${level}: ${printable(text)}`)
}
