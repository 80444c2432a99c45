import type { Receipt, ReceiptOrigin, ReceiptStatus, Redaction, TimelineEntry } from '../index.ts'
import type { Colour, Paint } from './colour.ts'
import { dayAndTime, describeDuration, timeOfDay } from './duration.ts'
import { printable, shortened } from './printable.ts'
import { drawFacts, drawTable } from './table.ts'

/** Receipts as a table. */
export function receiptsTable(receipts: readonly Receipt[], paint: Paint): string {
  const columns = [
    { title: 'receipt', align: 'right' },
    { title: 'received' },
    { title: 'source' },
    { title: 'status' },
    { title: 'type' },
    { title: 'event' },
    { title: 'object' },
    { title: 'deliveries', align: 'right' },
    { title: 'attempts', align: 'right' },
  ] as const
  const rows = receipts.map((receipt) => [
    receipt.id,
    dayAndTime(receipt.receivedAt),
    printable(receipt.source),
    paint(statusColour(receipt.status), receipt.status),
    shortened(printable(receipt.type), 40),
    shortened(printable(receipt.eventId), 60) + repetitionMark(receipt, paint) + originMark(receipt, paint),
    shortened(printable(receipt.objectId ?? '-'), 40),
    String(receipt.deliveries),
    String(receipt.attempts),
  ])
  return drawTable(columns, rows)
}

/** Dead letters as a table: what went wrong matters most. */
export function deadTable(receipts: readonly Receipt[], { now, paint }: { now: Date; paint: Paint }): string {
  const columns = [
    { title: 'receipt', align: 'right' },
    { title: 'source' },
    { title: 'type' },
    { title: 'event' },
    { title: 'age', align: 'right' },
    { title: 'attempts', align: 'right' },
    { title: 'error' },
  ] as const
  const rows = receipts.map((receipt) => [
    receipt.id,
    printable(receipt.source),
    shortened(printable(receipt.type), 40),
    shortened(printable(receipt.eventId), 60),
    describeDuration(now.getTime() - receipt.receivedAt.getTime()),
    String(receipt.attempts),
    paint('red', shortened(printable(receipt.lastError ?? '-'), 120)),
  ])
  return drawTable(columns, rows)
}

/** One receipt with all that is known of it. */
export function receiptText(
  receipt: Receipt,
  { timeline, redaction }: { readonly timeline: readonly TimelineEntry[]; readonly redaction?: Redaction | undefined },
  paint: Paint,
): string {
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Receipt', receipt.id],
    ['Status', paint(statusColour(receipt.status), receipt.status)],
    ['Source', receipt.source],
    ['Type', receipt.type],
    ['Event', receipt.eventId],
    ['Delivery', receipt.deliveryId],
    ['Object', receipt.objectId],
    ['Occurred', receipt.occurredAt && dayAndTime(receipt.occurredAt)],
    ['Received', dayAndTime(receipt.receivedAt)],
    ['Origin', receipt.origin === 'webhook' ? undefined : originText(receipt.origin)],
    ['Processed', receipt.processedAt && dayAndTime(receipt.processedAt)],
    ['Next attempt', receipt.nextAttemptAt && dayAndTime(receipt.nextAttemptAt)],
    ['Deliveries', String(receipt.deliveries)],
    ['Attempts', String(receipt.attempts)],
    ['Last error', receipt.lastError],
    ['Body SHA-256', receipt.bodyHash === '' ? undefined : receipt.bodyHash],
    ['Body of event', receipt.repeatsEventId],
    ['Not stored', redaction && redactionText(redaction)],
    ['Held since', receipt.heldAt && dayAndTime(receipt.heldAt)],
  ]
  const known = facts.flatMap(([name, value]) =>
    value === undefined ? [] : [[name, name === 'Status' ? value : printable(value)] as const],
  )
  return [drawFacts(known), '', paint('bold', 'Timeline'), ...timeline.map((entry) => timelineLine(entry, paint))].join(
    '\n',
  )
}

/** What nobody can see any more, and why if that is all of it. */
export function redactionText({ paths, withheld }: Redaction): string {
  return withheld === undefined ? paths.join(', ') : `the body. ${withheld}`
}

function timelineLine(entry: TimelineEntry, paint: Paint): string {
  const when = paint('dim', `${dayAndTime(entry.at)}${timeOfDay(entry.at).slice(8)}`)
  return `  ${when}  ${timelineText(entry, paint)}`
}

function timelineText(entry: TimelineEntry, paint: Paint): string {
  switch (entry.kind) {
    case 'received':
      return receivedText(entry.receipt, paint) + repetitionMark(entry.receipt, paint)
    case 'delivery': {
      const { kind, status, latencyMilliseconds, detail } = entry.delivery
      const remark = detail === undefined ? '' : `: ${printable(detail)}`
      return `${paint('magenta', `delivered again (${kind})`)}, answered ${status} in ${describeDuration(latencyMilliseconds)}${remark}`
    }
    case 'attempt': {
      const { attempt, handler, worker, outcome, startedAt, endedAt, error } = entry.attempt
      const took = describeDuration(endedAt.getTime() - startedAt.getTime())
      const colour = outcome === 'succeeded' ? 'green' : outcome === 'deferred' ? 'cyan' : 'red'
      const remark = error === undefined ? '' : `: ${printable(error)}`
      return `${paint(colour, `attempt ${attempt} ${outcome}`)}, handler ${printable(handler)} on ${printable(worker)} in ${took}${remark}`
    }
    case 'effect':
      return `${paint('green', 'effect')} ${printable(entry.key)} by handler ${printable(entry.handler)}`
    case 'version':
      return `${paint('green', 'version')} ${printable(entry.version)} of ${printable(entry.key)}`
    case 'message': {
      const { target, key, status, attempts, lastError } = entry.message
      const colour = status === 'published' ? 'green' : status === 'failed' ? 'red' : 'cyan'
      const remark = lastError === undefined ? '' : `: ${printable(lastError)}`
      return `${paint(colour, `message ${status}`)} to ${printable(target)} with key ${printable(key)}, attempts ${attempts}${remark}`
    }
    case 'replay':
      return `${paint('yellow', 'replayed')} by ${printable(entry.by)}: ${printable(entry.why)}`
    case 'hold':
    case 'release':
      return `${paint('yellow', entry.kind === 'hold' ? 'held' : 'released')} by ${printable(entry.by)}: ${printable(entry.why)}`
  }
}

/** Most came as webhooks, so only others are marked. */
function originMark({ origin }: Receipt, paint: Paint): string {
  return origin === 'webhook' ? '' : ` ${paint('magenta', `(${origin})`)}`
}

function receivedText({ origin }: Receipt, paint: Paint): string {
  return paint('cyan', origin === 'webhook' ? 'received' : originText(origin))
}

function originText(origin: ReceiptOrigin): string {
  switch (origin) {
    case 'webhook':
      return 'received'
    case 'backfill':
      return 'back-filled from the provider’s API'
    case 'shadow':
      return 'processed by the handler beside'
    case 'import':
      return 'imported from a table'
  }
}

/** The same signed body came before, under another id. */
function repetitionMark({ repeatsEventId }: Receipt, paint: Paint): string {
  if (repeatsEventId === undefined) return ''
  return ` ${paint('magenta', `(body of ${shortened(printable(repeatsEventId), 60)})`)}`
}

function statusColour(status: ReceiptStatus): Colour {
  switch (status) {
    case 'processed':
      return 'green'
    case 'received':
    case 'processing':
      return 'cyan'
    case 'retrying':
      return 'yellow'
    case 'failed':
      return 'red'
    case 'ignored':
    case 'stale':
    case 'same_change':
      return 'dim'
  }
}
