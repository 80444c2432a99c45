import type { CaseResult } from '../capture/cases/run-case.ts'
import { escapeMarkup } from '../prover/reports/escape-markup.ts'
import type { Paint } from './colour.ts'
import { describeDuration } from './duration.ts'
import { printable } from './printable.ts'
import { drawTable } from './table.ts'

/** How cases went, as a table, with what was wrong under it. */
export function casesText(results: readonly CaseResult[], paint: Paint): string {
  const columns = [
    { title: 'case' },
    { title: 'outcome' },
    { title: 'answers' },
    { title: 'took', align: 'right' },
  ] as const
  const rows = results.map(({ name, outcome, answers, tookMilliseconds }) => [
    printable(name),
    paint(outcome === 'passed' ? 'green' : 'red', outcome),
    statusesText(answers),
    describeDuration(tookMilliseconds),
  ])
  const wrong = results.filter(({ outcome }) => outcome === 'failed')
  const details = wrong.map(({ name, mistakes }) =>
    [`\n${paint('bold', printable(name))}`, ...mistakes.map((mistake) => `  ${paint('red', printable(mistake))}`)].join(
      '\n',
    ),
  )
  const passed = results.length - wrong.length
  return [drawTable(columns, rows), ...details, `\n${passed} passed, ${wrong.length} failed`].join('\n')
}

/** `200 ×4, 202`. */
function statusesText(answers: CaseResult['answers']): string {
  const counts = new Map<string, number>()
  for (const { status } of answers)
    counts.set(String(status ?? 'none'), (counts.get(String(status ?? 'none')) ?? 0) + 1)
  return [...counts].map(([status, count]) => (count === 1 ? status : `${status} ×${count}`)).join(', ') || '-'
}

/** The same as JUnit XML, which every CI understands. */
export function casesJunit(results: readonly CaseResult[]): string {
  const failures = results.filter(({ outcome }) => outcome === 'failed').length
  const seconds = results.reduce((sum, { tookMilliseconds }) => sum + tookMilliseconds, 0) / 1000
  const cases = results.map(({ name, mistakes, tookMilliseconds }) => {
    const [first = ''] = mistakes
    const failure =
      mistakes.length === 0
        ? ''
        : `<failure message="${escapeMarkup(first)}">${escapeMarkup(mistakes.join('\n'))}</failure>`
    return `<testcase classname="cases" name="${escapeMarkup(name)}" time="${tookMilliseconds / 1000}">${failure}</testcase>`
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `<testsuite name="oncehook cases" tests="${results.length}" failures="${failures}" errors="0" skipped="0" time="${seconds}">`,
    ...cases,
    '</testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}
