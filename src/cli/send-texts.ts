import type { Colour, Paint } from './colour.ts'
import { describeDuration } from './duration.ts'
import type { Answered } from './outgoing.ts'
import { printable } from './printable.ts'
import { plural } from './start-texts.ts'
import { padded } from './table.ts'

/** One answer, as a line. */
export function answerLine(
  { status, verdict, receipt, milliseconds, error }: Answered,
  index: number,
  paint: Paint,
): string {
  return [
    padded(String(index + 1), 4, 'right'),
    paint(colourOf(verdict), padded(String(status ?? error ?? ''), 3)),
    paint(colourOf(verdict), padded(printable(verdict), 11)),
    padded(describeDuration(milliseconds), 9, 'right'),
    receipt === undefined ? '' : `receipt ${printable(receipt)}`,
  ]
    .join('  ')
    .trimEnd()
}

export type SendReport = {
  readonly source: string
  readonly type: string | undefined
  readonly events: readonly string[]
  readonly answers: readonly Answered[]
  /** Undefined if the receiver cannot tell. */
  readonly effects: number | undefined
  readonly took: string
  readonly paint: Paint
}

/** All answers in one line. */
export function summaryOf({ source, type, events, answers, effects, took, paint }: SendReport): string {
  const counts = new Map<string, number>()
  for (const { verdict } of answers) counts.set(verdict, (counts.get(verdict) ?? 0) + 1)
  const verdicts = [...counts].map(([verdict, count]) => paint(colourOf(verdict), `${count} ${printable(verdict)}`))
  const [only] = events
  const what = events.length === 1 ? `${type} ${only}` : `${plural(events.length, 'event')} of type ${type}`
  const effect =
    effects === undefined ? '' : ` → ${paint(effects === events.length ? 'green' : 'red', plural(effects, 'effect'))}`
  return `${plural(answers.length, 'delivery', 'deliveries')} of ${source} ${printable(what)} in ${took}: ${verdicts.join(', ')}${effect}`
}

function colourOf(verdict: string): Colour {
  switch (verdict) {
    case 'accepted':
    case 'processed':
    case 'taken':
    case 'batch':
      return 'green'
    case 'duplicate':
      return 'magenta'
    case 'ignored':
    case 'handshake':
      return 'dim'
    default:
      return 'red'
  }
}
