import type { ProverReport, ScenarioResult } from '../report.ts'
import { escapeMarkup } from './escape-markup.ts'

/** The report as JUnit XML, which every CI understands. */
export function junitReport({ scenarios, milliseconds, target, verdict, why }: ProverReport): string {
  const cases = verdict === 'could_not_run' ? [couldNotRun(why ?? '')] : scenarios.map(testCase)
  const failures = scenarios.filter(({ status }) => status === 'failed').length
  const skipped = scenarios.filter(({ status }) => status === 'skipped').length
  const errors = verdict === 'could_not_run' ? 1 : 0
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites>`,
    `<testsuite name="${escapeMarkup(`oncehook prove ${target}`)}" tests="${cases.length}" failures="${failures}" errors="${errors}" skipped="${skipped}" time="${milliseconds / 1000}">`,
    ...cases,
    '</testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function testCase(result: ScenarioResult): string {
  const { name, group, milliseconds } = result
  const inner = detail(result)
  return `<testcase classname="${group}" name="${escapeMarkup(name)}" time="${milliseconds / 1000}">${inner}</testcase>`
}

function detail({ status, saw, cause }: ScenarioResult): string {
  switch (status) {
    case 'failed':
      return `<failure type="${cause?.name ?? ''}" message="${escapeMarkup(saw)}">${escapeMarkup(
        `${cause?.title ?? ''}. ${cause?.why ?? ''} ${cause?.cure ?? ''} ${cause?.link ?? ''}`,
      )}</failure>`
    case 'skipped':
      return `<skipped message="${escapeMarkup(saw)}"/>`
    case 'passed':
    case 'unseen':
      return `<system-out>${escapeMarkup(saw)}</system-out>`
  }
}

function couldNotRun(why: string): string {
  return `<testcase classname="prove" name="introduction"><error message="${escapeMarkup(why)}"/></testcase>`
}
