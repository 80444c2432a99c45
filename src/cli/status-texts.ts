import type { HealthReport, SourceHealth } from '../index.ts'
import type { Paint } from './colour.ts'
import { dayAndTime, describeDuration } from './duration.ts'
import { printable, shortened } from './printable.ts'
import { drawFacts, drawTable } from './table.ts'

/** A share of something, undefined of nothing. */
type Share = number | undefined

/** The figures that people compare, of one source or of all. */
type Rates = {
  readonly firstAttemptErrorRate: Share
  readonly duplicateRate: Share
  readonly usualDuplicateRate: Share
}

/** The same for machines: the report, and the rates of each source and of all. */
export function statusDocument(report: HealthReport): object {
  return {
    ...report,
    ...ratesOf(report.sources),
    sources: report.sources.map((source) => ({ ...source, ...ratesOf([source]) })),
  }
}

function ratesOf(sources: readonly SourceHealth[]): Rates {
  const total = (figure: (source: SourceHealth) => number): number =>
    sources.reduce((sum, source) => sum + figure(source), 0)
  const duplicates = total((source) => source.duplicates)
  return {
    firstAttemptErrorRate: share(
      total((source) => source.firstAttemptsFailed),
      total((source) => source.firstAttempts),
    ),
    duplicateRate: share(duplicates, duplicates + total((source) => source.received)),
    usualDuplicateRate: share(
      total((source) => source.baseline.duplicates),
      total((source) => source.baseline.deliveries),
    ),
  }
}

function share(part: number, whole: number): Share {
  return whole === 0 ? undefined : part / whole
}

export type StatusView = { readonly now: Date; readonly paint: Paint }

/** How things stand, for people. */
export function statusText(report: HealthReport, { now, paint }: StatusView): string {
  const { sources, targets, ledger, windowSeconds } = report
  const rates = ratesOf(sources)
  const title = `${paint('bold', printable(report.environment))}, last ${describeDuration(windowSeconds * 1000)}`
  const blocks = [
    `${title}${paint('dim', `  ${dayAndTime(now)}`)}`,
    drawFacts([
      ['  Failed at first', `${errorRate(rates, paint)}  ${paint('dim', 'of events at their first attempt')}`],
      ['  Known already', `${duplicateRate(rates, paint)}  ${paint('dim', `of deliveries; ${usually(rates)}`)}`],
      ['  Ledger', ledgerText(ledger)],
    ]),
    ...(sources.length === 0 ? ['Nothing has come yet.'] : [sourcesTable(report, paint)]),
    ...(targets.length === 0 ? [] : [targetsTable(report, paint)]),
  ]
  return blocks.join('\n\n')
}

function usually({ usualDuplicateRate }: Rates): string {
  return usualDuplicateRate === undefined
    ? 'no week before to compare with'
    : `${percent(usualDuplicateRate)} in the week before`
}

function ledgerText({ rows, addedLastDay, isEstimate }: HealthReport['ledger']): string {
  const about = isEstimate ? 'about ' : ''
  return `${about}${number(rows)} receipts, ${about}${number(addedLastDay)} of them from the last day`
}

function sourcesTable(report: HealthReport, paint: Paint): string {
  const titles = ['received', 'failed at first', 'known already', 'week before', 'waiting', 'oldest due', 'dead']
  const rows = report.sources.map((source) => {
    const rates = ratesOf([source])
    return [
      shortened(printable(source.source), 30),
      number(source.received),
      errorRate(rates, paint),
      duplicateRate(rates, paint),
      rates.usualDuplicateRate === undefined ? '-' : percent(rates.usualDuplicateRate),
      ...backlogCells(source, report, paint),
    ]
  })
  return drawTable([{ title: 'source' }, ...titles.map((title) => ({ title, align: 'right' as const }))], rows)
}

function targetsTable(report: HealthReport, paint: Paint): string {
  const titles = ['waiting', 'oldest due', 'dead']
  const rows = report.targets.map((target) => [
    shortened(printable(target.target), 30),
    ...backlogCells(target, report, paint),
  ])
  return drawTable([{ title: 'target' }, ...titles.map((title) => ({ title, align: 'right' as const }))], rows)
}

/** Whoever waits longer than this waits for a worker that is not there, or not fast enough. */
const longDueSeconds = 60

function backlogCells(
  { waiting, oldestDueSeconds, deadLetters }: HealthReport['targets'][number] | SourceHealth,
  { countedUpTo }: HealthReport,
  paint: Paint,
): readonly string[] {
  const counted = (count: number): string => `${number(count)}${count >= countedUpTo ? '+' : ''}`
  const isLate = oldestDueSeconds !== undefined && oldestDueSeconds > longDueSeconds
  const due = oldestDueSeconds === undefined ? '-' : describeDuration(oldestDueSeconds * 1000)
  return [
    counted(waiting),
    isLate ? paint('red', due) : due,
    deadLetters === 0 ? '0' : paint('red', counted(deadLetters)),
  ]
}

function errorRate({ firstAttemptErrorRate: rate }: Rates, paint: Paint): string {
  if (rate === undefined) return '-'
  return rate === 0 ? paint('green', percent(rate)) : paint(rate < 0.05 ? 'yellow' : 'red', percent(rate))
}

/** Providers do send again now and then; several times as much as usual means that something behind us times out or fails. */
function duplicateRate({ duplicateRate: rate, usualDuplicateRate: usual = 0 }: Rates, paint: Paint): string {
  if (rate === undefined) return '-'
  return rate > 0.05 && rate > usual * 3 ? paint('red', percent(rate)) : percent(rate)
}

function percent(rate: number): string {
  return `${(rate * 100).toFixed(rate > 0 && rate < 0.1 ? 1 : 0)} %`
}

function number(count: number): string {
  return count.toLocaleString('en')
}
