import type { Paint } from '../colour.ts'
import { plural } from '../start-texts.ts'
import { padded } from '../table.ts'
import { wrapped } from '../wrap.ts'
import type { Diagnosis } from './examine.ts'

const width = 100

/** Short when all is well; else what is wrong, what to do, and what to copy. */
export function diagnosisText(diagnosis: Diagnosis, paint: Paint): string {
  const { findings } = diagnosis
  const column = Math.max(0, ...findings.map(({ check }) => check.length)) + 4
  const indent = ' '.repeat(column)
  const blocks = findings.map(({ check, severity, fact, cure, sql = [] }) => {
    const isError = severity === 'error'
    const mark = paint(isError ? 'red' : 'yellow', `${isError ? '✗' : '!'} ${padded(check, column - 4)}`)
    const lines = wrapped(fact, { width, indent }).slice(column)
    return [
      `${mark}  ${lines}`,
      wrapped(cure, { width, indent }),
      ...sql.map((statement) => `${indent}${paint('cyan', `${statement};`)}`),
    ].join('\n')
  })
  const hidden = diagnosis.unread.map(({ what, reason }) => paint('dim', `  Not looked at: ${what} (${reason}).`))
  return [...blocks, ...(blocks.length > 0 ? [''] : []), summaryOf(diagnosis, paint), ...hidden].join('\n')
}

function summaryOf({ findings, checks, store, version, durability }: Diagnosis, paint: Paint): string {
  const database = `${store === 'pglite' ? 'PGlite, PostgreSQL' : 'PostgreSQL'} ${version}, durability ${durability}`
  if (findings.length === 0)
    return `${paint('green', '✓')} ${plural(checks.length, 'check')}, nothing found. ${database}.`
  const errors = findings.filter(({ severity }) => severity === 'error').length
  const warnings = findings.length - errors
  const counts = [
    ...(errors > 0 ? [paint('red', plural(errors, 'error'))] : []),
    ...(warnings > 0 ? [paint('yellow', plural(warnings, 'warning'))] : []),
  ]
  return `${plural(checks.length, 'check')}: ${counts.join(', ')}. ${database}.`
}
