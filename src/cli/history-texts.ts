import type { BackfillReport, GapReport } from '../index.ts'
import type { Paint } from './colour.ts'
import { dayAndTime } from './duration.ts'
import { printable, shortened } from './printable.ts'
import { drawFacts, drawTable } from './table.ts'

const number = (count: number): string => count.toLocaleString('en')

/** How far a search or a back-fill has come. */
export function historyProgress(progress: GapReport | BackfillReport): string {
  const done =
    'missing' in progress
      ? `${number(progress.missing)} missing`
      : `${number(progress.recorded + progress.asked)} ${progress.how === 'pull' ? 'back-filled' : 'asked for'}`
  return `${number(progress.listed)} events looked at, ${number(progress.known)} known, ${done}`
}

/** What a provider says it has sent, beside what is in the ledger. */
export function gapsText(report: GapReport, paint: Paint): string {
  const { missing, events, missingByType } = report
  const types = Object.entries(missingByType).toSorted(([, one], [, other]) => other - one)
  return [
    ...headOf(report, paint),
    drawFacts([
      ['  sent, as the provider says', number(report.listed).padStart(9)],
      ['  known', number(report.known).padStart(9)],
      ['  not allowed, or not asked for', number(report.notAllowed + report.notHandled).padStart(9)],
      ['  missing', paint(missing === 0 ? 'green' : 'red', number(missing).padStart(9))],
    ]),
    ...(types.length === 0
      ? []
      : [
          '',
          drawTable(
            [{ title: 'type' }, { title: 'missing', align: 'right' }],
            types.map(([type, count]) => [printable(type), number(count)]),
          ),
        ]),
    ...(events.length === 0
      ? []
      : [
          '',
          drawTable(
            [{ title: 'happened' }, { title: 'type' }, { title: 'event' }],
            events.map(({ occurredAt, type, eventId }) => [
              occurredAt === undefined ? '-' : dayAndTime(occurredAt),
              shortened(printable(type), 40),
              shortened(printable(eventId), 80),
            ]),
          ),
        ]),
    ...(events.length < missing ? [`… and ${number(missing - events.length)} more`] : []),
  ].join('\n')
}

/** What a back-fill has done. */
export function backfillText(report: BackfillReport, paint: Paint): string {
  const { failures, failed } = report
  const done =
    report.how === 'pull'
      ? (['  put into the queue', report.recorded] as const)
      : (['  asked to be sent again', report.asked] as const)
  return [
    ...headOf(report, paint),
    drawFacts([
      ['  sent, as the provider says', number(report.listed).padStart(9)],
      ['  known', number(report.known).padStart(9)],
      ['  not allowed, or not asked for', number(report.notAllowed + report.notHandled).padStart(9)],
      [done[0], paint('green', number(done[1]).padStart(9))],
      ...(failed === 0 ? [] : [['  gone at the provider', paint('red', number(failed).padStart(9))] as const]),
    ]),
    ...failures.map(({ eventId, error }) => `    ${printable(eventId)}: ${printable(error)}`),
  ].join('\n')
}

function headOf(
  { source, history, from, to, blindBefore }: GapReport | BackfillReport,
  paint: Paint,
): readonly string[] {
  return [
    `${paint('bold', printable(source))}, compared with ${printable(history)} from ${dayAndTime(from)} until ${dayAndTime(to)}`,
    ...(blindBefore === undefined
      ? []
      : [paint('yellow', `The provider tells nothing of what was before ${dayAndTime(blindBefore)}.`)]),
    '',
  ]
}
