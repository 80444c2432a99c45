import type {
  GreetingReport,
  RetryPlan,
  SimulatedEventReport,
  SimulationCounts,
  SimulationReport,
} from '../simulator/simulate.ts'
import type { Colour, Paint } from './colour.ts'
import { describeDuration } from './duration.ts'
import { printable } from './printable.ts'
import { plural } from './start-texts.ts'
import { drawFacts } from './table.ts'

/** How it will be sent, before anything is. */
export function planText(title: string, plan: RetryPlan, paint: Paint): string {
  return [
    `${paint('bold', title)}: ${scheduleText(plan)}`,
    ...plan.notes.map((note) => paint('dim', `  ${note}`)),
  ].join('\n')
}

/** The pauses of a schedule; the same one several times in a row once. */
function scheduleText({ pausesSeconds, deadlineSeconds }: RetryPlan): string {
  const waits = `waits ${deadlineSeconds} s for an answer`
  if (pausesSeconds.length === 0) return `one attempt, ${waits}`
  const runs: { seconds: number; times: number }[] = []
  for (const seconds of pausesSeconds) {
    const last = runs.at(-1)
    if (last?.seconds === seconds) last.times += 1
    else runs.push({ seconds, times: 1 })
  }
  const pauses = runs.map(({ seconds, times }) => {
    const length = seconds === 0 ? 'at once' : describeDuration(seconds * 1000)
    return times === 1 ? length : `${length} ×${times}`
  })
  const shown = pauses.length > 14 ? `${pauses.slice(0, 14).join(', ')} …` : pauses.join(', ')
  return `up to ${plural(pausesSeconds.length + 1, 'attempt')}, with pauses of ${shown}; ${waits}`
}

/** What became of the greeting. */
export function greetingLines(greeting: GreetingReport, paint: Paint): readonly string[] {
  switch (greeting.kind) {
    case 'none':
      return []
    case 'skipped':
      return [paint('dim', `– greeting left out: ${greeting.why}`)]
    case 'passed':
    case 'failed':
      return greeting.steps.map(({ what, isPassed, saw }) =>
        isPassed
          ? `${paint('green', '✓')} greeting: ${what}`
          : `${paint('red', '✗')} greeting: ${what}: ${printable(saw)}`,
      )
  }
}

/** An event that the provider gave up. */
export function lostLine({ type, ids, attempts, why = '' }: SimulatedEventReport, paint: Paint): string {
  const after = attempts.length === 0 ? '' : ` after ${plural(attempts.length, 'attempt')}`
  return `${paint('red', '✗')} ${printable(`${type} ${ids[0] ?? ''}`)} given up${after}: ${printable(why)}`
}

/** How far it has come, in a line. */
export function progressLine(counts: SimulationCounts, events: number, at: string): string {
  const settled = counts.delivered + counts.givenUp
  return `… ${settled}/${events} events settled, ${plural(counts.attempts, 'attempt')}, ${counts.duplicates} duplicates, simulated time ${at.slice(0, 19).replace('T', ' ')}`
}

/** All that is worth knowing when it is over. */
export function simulationSummary(report: SimulationReport, paint: Paint): string {
  const { counts, deliveredAtAttempt, outcomes, faults } = report
  const simulated = describeDuration(report.simulatedSeconds * 1000)
  const facts: readonly (readonly [string, string])[] = [
    ['events', eventsText(counts, paint)],
    [
      'attempts',
      `${counts.attempts} in ${simulated} of simulated time and ${describeDuration(report.milliseconds)} of yours`,
    ],
    [
      'acknowledged',
      listed(Object.entries(deliveredAtAttempt).map(([attempt, count]) => `${count} at attempt ${attempt}`)),
    ],
    ['outcomes', listed(Object.entries(outcomes).map(([outcome, count]) => `${printable(outcome)} ×${count}`))],
    ['faults', listed(Object.entries(faults).map(([fault, count]) => `${fault} ×${count}`))],
    ['duplicates', `${counts.duplicates} requests with an event that was taken already`],
  ]
  if (report.verdict === 'not_greeted') return verdictText(report, paint)
  return [
    '',
    drawFacts(facts.filter(([, value]) => value !== '')),
    '',
    `${verdictText(report, paint)} Seed ${printable(report.seed)}.`,
  ].join('\n')
}

function eventsText({ delivered, givenUp, pending, notSent }: SimulationCounts, paint: Paint): string {
  const parts: readonly (readonly [number, string, Colour])[] = [
    [delivered, 'delivered', 'green'],
    [givenUp, 'given up', 'red'],
    [notSent, 'never sent', 'red'],
    [pending, 'still on their way', 'yellow'],
  ]
  return listed(parts.flatMap(([count, what, colour]) => (count === 0 ? [] : [paint(colour, `${count} ${what}`)])))
}

function verdictText({ verdict, why, counts }: SimulationReport, paint: Paint): string {
  switch (verdict) {
    case 'delivered':
      return paint('green', 'Every event was delivered.')
    case 'lost_events':
      return paint('red', `${plural(counts.givenUp + counts.notSent, 'event')} lost.`)
    case 'not_greeted':
      return paint('red', why ?? '')
    case 'could_not_run':
      return paint('yellow', why ?? '')
    case 'stopped':
      return paint('yellow', 'Stopped before every event was settled.')
  }
}

function listed(parts: readonly string[]): string {
  return parts.join(', ')
}
