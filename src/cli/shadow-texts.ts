import type { AcceptedForgery, ShadowCall, ShadowEvidence, ShadowReport } from '../index.ts'
import type { Paint } from './colour.ts'
import { dayAndTime, describeDuration, timeOfDay } from './duration.ts'
import { printable, shortened } from './printable.ts'
import { drawFacts } from './table.ts'

const number = (count: number): string => count.toLocaleString('en').padStart(9)

/** What a handler beside Oncehook did, as far as it shows from outside. */
export function shadowText(report: ShadowReport, paint: Paint): string {
  const { doubled, withoutEffect, givenUp, runAgain, open, savedByRetries, late, acceptedForgeries } = report
  return [
    `${paint('bold', printable(report.source))}, since ${dayAndTime(report.since)}`,
    '',
    drawFacts(facts(report, paint)),
    ...(doubled === undefined && runAgain.count > 0
      ? ['', 'Whether running again doubled anything, only your own tables can tell: give --effects.']
      : []),
    ...section('Doubled', doubled?.events ?? [], paint),
    ...(doubled === undefined ? section('Run again', runAgain.events, paint) : []),
    ...section('Acknowledged without effect', withoutEffect?.events ?? [], paint),
    ...section('Never acknowledged', givenUp.events, paint),
    ...section('Not acknowledged yet', open.events, paint),
    ...section('Acknowledged only after a failure', savedByRetries.events, paint),
    ...section('Slower than the provider waits', late.events, paint),
    ...forgeries(acceptedForgeries.deliveries, paint),
  ].join('\n')
}

type Fact = readonly [string, string]

function facts(report: ShadowReport, paint: Paint): readonly Fact[] {
  const { doubled, withoutEffect, givenUp, runAgain, open, savedByRetries, late, acceptedForgeries } = report
  const bad = (count: number): string => paint(count === 0 ? 'green' : 'red', number(count))
  const doubtful = (count: number): string => (count === 0 ? number(count) : paint('yellow', number(count)))
  const deadline =
    late.deadlineSeconds === undefined
      ? '  hung up on by the provider'
      : `  later than the ${late.deadlineSeconds} s the provider waits`
  return [
    ['  deliveries', number(report.deliveries)],
    ['  events', number(report.events)],
    ['  calls of the handler', number(report.calls)],
    ['  run again after a success', doubtful(runAgain.afterSuccess)],
    ['  run again at the same time', doubtful(runAgain.atOnce)],
    ...optional('  doubled: more than one effect', doubled && bad(doubled.count)),
    ...optional('  lost: acknowledged without effect', withoutEffect && bad(withoutEffect.count)),
    ['  lost: never acknowledged', bad(givenUp.count)],
    ['  not acknowledged yet', doubtful(open.count)],
    ['  acknowledged only after a failure', doubtful(savedByRetries.count)],
    [deadline, doubtful(late.calls)],
    ['  slowest answer', describeDuration(late.slowestSeconds * 1000).padStart(9)],
    ['  never ended', doubtful(report.unended)],
    ['  forgeries that it accepted', bad(acceptedForgeries.count)],
    ['  others that would be refused', number(report.refused)],
    ['  handshakes', number(report.handshakes)],
    ['  bytes not seen', doubtful(report.unread)],
    ['  not watched', doubtful(report.missed)],
  ]
}

function optional(name: string, value: string | undefined): readonly Fact[] {
  return value === undefined ? [] : [[name, value]]
}

function section(title: string, events: readonly ShadowEvidence[], paint: Paint): readonly string[] {
  return events.length === 0
    ? []
    : ['', paint('bold', title), ...events.flatMap((event) => evidenceLines(event, paint))]
}

/** The calls of an event, one under the other: those that overlap can be seen to. */
function evidenceLines({ eventId, type, effects, calls }: ShadowEvidence, paint: Paint): readonly string[] {
  const remark = effects === undefined ? '' : `, effects: ${effects}`
  return [
    `  ${shortened(printable(eventId), 80)}  ${printable(type)}${remark}`,
    ...calls.map((call) => `    ${paint('dim', moment(call.startedAt))}  ${callText(call)}`),
  ]
}

function callText({ startedAt, endedAt, ending, status, worker }: ShadowCall): string {
  const took = endedAt === undefined ? 'not ended' : `took ${describeDuration(endedAt.getTime() - startedAt.getTime())}`
  const end = ending === 'answered' ? `answered ${status ?? 'without a status'}` : (ending ?? 'no answer')
  return `${end}, ${took}, on ${printable(worker)}`
}

function forgeries(deliveries: readonly AcceptedForgery[], paint: Paint): readonly string[] {
  if (deliveries.length === 0) return []
  const lines = deliveries.map(
    ({ at, reason, status, worker }) =>
      `    ${paint('dim', moment(at))}  ${printable(reason)}, answered ${status}, on ${printable(worker)}`,
  )
  return ['', paint('bold', 'Forgeries that it accepted'), ...lines]
}

function moment(at: Date): string {
  return `${dayAndTime(at).slice(0, 11)}${timeOfDay(at)}`
}
