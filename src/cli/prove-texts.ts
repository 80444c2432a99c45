import type { ProverReport, ScenarioResult } from '../prover/prove.ts'
import { summaryOf } from '../prover/reports/html-report.ts'
import type { Colour, Paint } from './colour.ts'
import { describeDuration } from './duration.ts'
import { printable } from './printable.ts'
import { drawTable, padded } from './table.ts'

const appearances: Readonly<Record<ScenarioResult['status'], readonly [mark: string, colour: Colour]>> = {
  passed: ['✓', 'green'],
  failed: ['✗', 'red'],
  unseen: ['◐', 'yellow'],
  skipped: ['–', 'dim'],
}

const nameWidth = 29

/** One scenario in one line. */
export function resultLine({ name, status, saw, milliseconds }: ScenarioResult, paint: Paint): string {
  const [mark, colour] = appearances[status]
  const took = status === 'skipped' ? '' : describeDuration(milliseconds)
  const text = status === 'skipped' ? paint('dim', printable(saw)) : printable(saw)
  return `${paint(colour, mark)} ${padded(name, nameWidth)} ${padded(took, 7, 'right')}  ${text}`.trimEnd()
}

/** What is said when all is over: the failures with their causes, what was not seen, and the verdict. */
export function endingText(report: ProverReport, paint: Paint): string {
  const failures = report.scenarios.filter(({ status }) => status === 'failed')
  const unseen = report.scenarios.filter(({ status }) => status === 'unseen')
  return [
    ...failures.flatMap((result) => ['', ...failureLines(result, paint)]),
    ...(report.blindSpots.length > 0 ? ['', 'Not seen:'] : []),
    ...report.blindSpots.map((spot) => `  ${spot}`),
    ...(unseen.length > 0
      ? [paint('dim', `  ◐ holds as far as answers show: ${unseen.map(({ name }) => name).join(', ')}`)]
      : []),
    '',
    `${verdictText(report, paint)} ${printable(summaryOf(report))} Seed ${printable(report.seed)}, ${describeDuration(report.milliseconds)}.`,
  ].join('\n')
}

function failureLines({ name, promise, saw, cause }: ScenarioResult, paint: Paint): readonly string[] {
  return [
    paint('red', `✗ ${name}: ${promise}`),
    `  saw    ${printable(saw)}`,
    ...(cause === undefined
      ? []
      : [
          `  cause  ${paint('bold', cause.title)} (${cause.name}). ${cause.why}`,
          `  cure   ${cause.cure} See ${cause.link}`,
        ]),
  ]
}

function verdictText({ verdict }: ProverReport, paint: Paint): string {
  switch (verdict) {
    case 'safe':
      return paint('green', 'Safe.')
    case 'unsafe':
      return paint('red', 'Not safe.')
    case 'could_not_run':
      return paint('yellow', 'Could not run.')
  }
}

/** What `--list` shows. */
export function scenarioList(
  scenarios: readonly { readonly name: string; readonly group: string; readonly promise: string }[],
): string {
  return drawTable(
    [{ title: 'scenario' }, { title: 'about' }, { title: 'promise' }],
    scenarios.map(({ name, group, promise }) => [name, group, promise]),
  )
}
