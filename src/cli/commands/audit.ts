import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Rule, Severity } from '../../audit/finding.ts'
import { allRules } from '../../audit/rules/all-rules.ts'
import { auditText, ruleList } from '../audit-texts.ts'
import { asCommand, type Call, type Command } from '../command.ts'
import { jsonOption } from '../common-options.ts'
import { type ExitCode, sentenceOf, wrongUsage } from '../failure.ts'

const options = {
  format: { type: 'string', value: 'form', meaning: 'text (default), json, or sarif for code scanning' },
  'fail-on': {
    type: 'string',
    value: 'severity',
    meaning: 'end with 1 from this severity on: error, warning (default), hint, or never',
  },
  only: { type: 'string', value: 'names', meaning: 'only these rules, with commas' },
  skip: { type: 'string', value: 'names', meaning: 'all but these' },
  list: { type: 'boolean', meaning: 'show the rules' },
  ...jsonOption,
} as const

type AuditCall = Call<typeof options>

const limits = ['error', 'warning', 'hint', 'never'] as const

/** Reads code and says what is wrong with it. */
export const auditCommand: Command = asCommand({
  name: 'audit',
  summary: 'Read the code of a project and say where webhooks can get lost, doubled or forged',
  forms: ['[folder] [options]', '--list'],
  options,
  examples: ['audit', 'audit packages/api --fail-on hint', 'audit --format sarif > oncehook.sarif'],
  run,
})

/** 0 if nothing was found, 1 if something was, 2 if it could not be read. */
async function run(call: AuditCall): Promise<ExitCode> {
  const { values, positionals, terminal, directory } = call
  const rules = rulesFor(values)
  const format = formatOf(values)
  const limit = limitOf(values['fail-on'])
  if (values.list === true) {
    const described = rules.map(({ name, severity, title, cure, link }) => ({ name, severity, title, cure, link }))
    terminal.print(format === 'json' ? JSON.stringify(described) : ruleList(rules))
    return 0
  }
  const [folder = '.', unexpected] = positionals
  if (unexpected !== undefined) throw wrongUsage(`audit takes one folder, and no ${JSON.stringify(unexpected)}.`)
  // The parser is large, and no other command needs it.
  const { audit } = await import('../../audit/audit.ts')
  const onProgress = (done: number, of: number, file: string): void => {
    if (done % 20 === 0) terminal.progress(`… ${done}/${of} ${file}`)
  }
  const report = attempted(() => audit(resolve(directory, folder), { rules, onProgress }))
  terminal.progress(undefined)
  if (format === 'json') terminal.print(JSON.stringify(report))
  else if (format === 'sarif') {
    const { sarifReport } = await import('../../audit/sarif-report.ts')
    terminal.print(sarifReport(report, await versionOfPackage()))
  } else terminal.print(auditText(report, terminal.paint))
  return report.findings.some(({ severity }) => counts(severity, limit)) ? 1 : 0
}

/** What cannot be read is a wrong call, and never "nothing found". */
function attempted<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw wrongUsage(sentenceOf(error))
  }
}

function counts(severity: Severity, limit: (typeof limits)[number]): boolean {
  return limit !== 'never' && limits.indexOf(severity) <= limits.indexOf(limit)
}

function rulesFor({ only, skip }: AuditCall['values']): readonly Rule[] {
  const chosen = only === undefined ? undefined : namesIn(only)
  const left = skip === undefined ? [] : namesIn(skip)
  return allRules.filter(({ name }) => (chosen?.includes(name) ?? true) && !left.includes(name))
}

function namesIn(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !allRules.some((rule) => rule.name === name))
  if (unknown === undefined) return names
  const known = allRules.map(({ name }) => name).join(', ')
  throw wrongUsage(`There is no rule ${JSON.stringify(unknown)}. There are: ${known}.`)
}

function formatOf({ format, json }: AuditCall['values']): 'text' | 'json' | 'sarif' {
  if (json === true && format !== undefined && format !== 'json') throw wrongUsage('Give --json or --format, not both.')
  if (json === true) return 'json'
  if (format === undefined || format === 'text' || format === 'json' || format === 'sarif') return format ?? 'text'
  throw wrongUsage(`--format is ${JSON.stringify(format)}: give text, json or sarif.`)
}

function limitOf(text: string | undefined): (typeof limits)[number] {
  const found = limits.find((limit) => limit === (text ?? 'warning'))
  if (found === undefined) throw wrongUsage(`--fail-on is ${JSON.stringify(text)}: give error, warning, hint or never.`)
  return found
}

async function versionOfPackage(): Promise<string> {
  const manifest = await readFile(new URL('../../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(manifest) as { readonly version: string }).version
}
