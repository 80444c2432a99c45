import type { RetryCause, RetryPattern } from '../index.ts'
import type { Paint } from './colour.ts'
import { describeDuration } from './duration.ts'
import { printable } from './printable.ts'
import { drawTable, padded } from './table.ts'
import { wrapped } from './wrap.ts'

const causes: Readonly<Record<RetryCause, string>> = {
  error_answer: 'after our error',
  slow_answer: 'after our slow answer',
  resent: 'resent',
  at_once: 'at once',
  changed_body: 'changed body',
  replayed_body: 'replayed body',
  provider: 'provider',
}

const width = 100

/** One line for each source. */
export function patternsTable(patterns: readonly RetryPattern[], paint: Paint): string {
  const columns = [
    { title: 'source' },
    { title: 'events', align: 'right' },
    { title: 'copies', align: 'right' },
    { title: 'mostly after' },
    { title: 'mostly because' },
    { title: 'documented' },
  ] as const
  const rows = patterns.map((pattern) => {
    const [cause] = pattern.causes
    const isOurs = cause?.cause === 'error_answer' || cause?.cause === 'slow_answer'
    return [
      paint('cyan', printable(pattern.source)),
      String(pattern.events),
      String(pattern.copies),
      mostFrequentDelay(pattern),
      cause === undefined ? '-' : paint(isOurs ? 'red' : 'dim', causes[cause.cause]),
      windowOf(pattern),
    ]
  })
  return drawTable(columns, rows)
}

/** One source with its histogram. */
export function patternText(pattern: RetryPattern, paint: Paint): string {
  const { source, events, copies, documented } = pattern
  const schedule = documented?.retrySchedule ?? 'not documented'
  return [
    `${paint('bold', printable(source))}  ${count(copies, 'copy', 'copies')} of ${count(events, 'event', 'events')}`,
    paint('dim', wrapped(`Documented: ${schedule}.`, { width, indent: '' })),
    '',
    paint('cyan', 'After how long (since the delivery before)'),
    ...histogram(delayBars(pattern), paint),
    '',
    paint('cyan', 'How many copies of one event'),
    ...histogram(copyBars(pattern), paint),
    '',
    paint('cyan', 'Why, as far as it can be told'),
    ...histogram(
      pattern.causes.map(({ cause, copies: size }) => ({ label: causes[cause], size })),
      paint,
    ),
    '',
    ...pattern.remarks.map((remark) => wrapped(remark, { width, indent: '  ' })),
  ].join('\n')
}

type Bar = { readonly label: string; readonly size: number }

const longestBar = 40

/** Bars as long as their share of the longest; what is there at all can be seen. */
export function histogram(bars: readonly Bar[], paint: Paint): readonly string[] {
  const labelWidth = Math.max(0, ...bars.map(({ label }) => label.length))
  const most = Math.max(1, ...bars.map(({ size }) => size))
  return bars.map(({ label, size }) => {
    const length = size === 0 ? 0 : Math.max(1, Math.round((size / most) * longestBar))
    const bar = paint('green', '█'.repeat(length))
    return `  ${padded(label, labelWidth, 'right')}  ${bar}${length === 0 ? '' : ' '}${size}`
  })
}

/** From the first bucket that has a copy to the last one. */
function delayBars({ delays }: RetryPattern): readonly Bar[] {
  const first = delays.findIndex(({ copies }) => copies > 0)
  const last = delays.findLastIndex(({ copies }) => copies > 0)
  return delays.slice(Math.max(0, first), last + 1).map(({ fromSeconds, toSeconds, copies }) => ({
    label: spanText(fromSeconds, toSeconds),
    size: copies,
  }))
}

const mostBars = 6

function copyBars({ copiesPerEvent }: RetryPattern): readonly Bar[] {
  const shown = copiesPerEvent.slice(0, mostBars).map(({ copies, events }) => ({ label: String(copies), size: events }))
  const rest = copiesPerEvent.slice(mostBars)
  const [first] = rest
  if (first === undefined) return shown
  return [...shown, { label: `${first.copies} and more`, size: rest.reduce((total, { events }) => total + events, 0) }]
}

function mostFrequentDelay({ delays }: RetryPattern): string {
  const [most] = delays.toSorted((one, other) => other.copies - one.copies)
  return most === undefined ? '-' : spanText(most.fromSeconds, most.toSeconds)
}

function spanText(fromSeconds: number, toSeconds: number | undefined): string {
  if (toSeconds === undefined) return `over ${describeDuration(fromSeconds * 1000)}`
  if (fromSeconds === 0) return `under ${describeDuration(toSeconds * 1000)}`
  return `${describeDuration(fromSeconds * 1000)} – ${describeDuration(toSeconds * 1000)}`
}

function windowOf({ documented }: RetryPattern): string {
  if (documented?.retryHours === undefined) return 'not documented'
  return documented.retryHours === 0 ? 'never by itself' : `for ${describeDuration(documented.retryHours * 3_600_000)}`
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`
}
