import type { AuditReport } from '../audit/audit.ts'
import type { Finding, RuleWords, Severity } from '../audit/finding.ts'
import type { Colour, Paint } from './colour.ts'
import { describeDuration } from './duration.ts'
import { printable, shortened } from './printable.ts'
import { drawTable } from './table.ts'
import { wrapped } from './wrap.ts'

const marks: Readonly<Record<Severity, readonly [mark: string, colour: Colour]>> = {
  error: ['✗', 'red'],
  warning: ['!', 'yellow'],
  hint: ['·', 'cyan'],
}

const textWidth = 110
const widestCode = 140

/** Every finding with its code, what was skipped, and the sum. */
export function auditText(report: AuditReport, paint: Paint): string {
  return [
    ...report.findings.flatMap((finding) => [...findingLines(finding, paint), '']),
    ...report.skipped.map(({ file, reason }) => paint('dim', `– ${printable(file)} was skipped. ${printable(reason)}`)),
    ...(report.skipped.length > 0 ? [''] : []),
    sumText(report, paint),
  ].join('\n')
}

function findingLines(
  { rule, severity, title, file, line, column, ...rest }: Finding,
  paint: Paint,
): readonly string[] {
  const [mark, colour] = marks[severity]
  const place = `${printable(file)}:${line}:${column}`
  return [
    `${paint(colour, mark)} ${paint('bold', place)}  ${paint(colour, title)} (${rule})`,
    ...codeLines({ line, column, ...rest }, paint),
    wrapped(printable(rest.story), { width: textWidth, indent: '  ' }),
    wrapped(`Cure: ${rest.cure} See ${rest.link}`, { width: textWidth, indent: '  ' }),
  ]
}

type Framed = Pick<Finding, 'line' | 'column' | 'code' | 'firstLine'>

/** The line and its neighbours, with a mark below the place. */
function codeLines({ line, column, code, firstLine }: Framed, paint: Paint): readonly string[] {
  const width = String(firstLine + code.length).length
  return code.flatMap((text, index) => {
    const number = firstLine + index
    const shown = shortened(printable(text.replaceAll('\t', ' ')), widestCode)
    const numbered = `    ${String(number).padStart(width)} │ `
    if (number !== line) return [paint('dim', `${numbered}${shown}`.trimEnd())]
    const isVisible = column <= widestCode
    return [
      `${numbered}${shown}`,
      ...(isVisible ? [`    ${' '.repeat(width)} │ ${' '.repeat(column - 1)}${paint('red', '^')}`] : []),
    ]
  })
}

function sumText({ findings, files, handlers, ignored, milliseconds }: AuditReport, paint: Paint): string {
  const looked = `${counted(files, 'file')}, ${counted(handlers, 'handler')} and other functions followed, ${describeDuration(milliseconds)}.`
  const silenced = ignored === 0 ? '' : ` ${ignored} silenced by oncehook-ignore.`
  if (findings.length === 0) return `${paint('green', '✓ Nothing found.')}${silenced} ${looked}`
  const counts = (['error', 'warning', 'hint'] as const).flatMap((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length
    return count === 0 ? [] : [paint(marks[severity][1], counted(count, severity))]
  })
  return `${counts.join(', ')}.${silenced} ${looked}`
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

/** What `--list` shows. */
export function ruleList(rules: readonly RuleWords[]): string {
  return drawTable(
    [{ title: 'rule' }, { title: 'severity' }, { title: 'cure' }],
    rules.map(({ name, severity, cure }) => [name, severity, cure]),
  )
}
