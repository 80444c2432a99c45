import { statSync } from 'node:fs'
import { relative, resolve, sep } from 'node:path'
import { invalidOptions } from '../errors.ts'
import { findFiles } from './files/find-files.ts'
import type { Finding, Rule, RuleWords } from './finding.ts'
import { ignoreComments } from './ignored.ts'
import { createProject, type Project, type SkippedFile } from './project.ts'
import { allRules } from './rules/all-rules.ts'
import { parse } from './syntax/babel-parser.ts'
import { type Traces, traceProject } from './traces.ts'

/** What an audit says. */
export type AuditReport = {
  readonly folder: string
  readonly findings: readonly Finding[]
  /** How many findings were silenced by a comment with a reason. */
  readonly ignored: number
  readonly files: number
  /** Handlers and functions that were followed. */
  readonly handlers: number
  readonly skipped: readonly SkippedFile[]
  readonly milliseconds: number
}

export type AuditOptions = {
  readonly rules?: readonly Rule[]
  readonly onProgress?: (done: number, of: number, file: string) => void
}

/** A comment that silences without saying why. */
export const ignoreWithoutReason: RuleWords = {
  name: 'ignore-without-reason',
  severity: 'warning',
  title: 'Ignored without a reason',
  cure: 'Say why it is right here, behind "oncehook-ignore" in the comment. Until then it silences nothing.',
  link: 'docs/audit.md#ignore-without-reason',
}

/** Reads the code of a project and says where webhooks can get lost, doubled or forged. */
export function audit(given: string, { rules = allRules, onProgress = () => {} }: AuditOptions = {}): AuditReport {
  const startedAt = performance.now()
  const folder = resolve(given)
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw invalidOptions('The audit', [`there is no folder ${JSON.stringify(given)}.`])
  const { code, other } = findFiles(folder)
  const project = createProject(folder, code, parse)
  const inFolder = (file: string): string => relative(folder, file).split(sep).join('/')
  const traces = traceProject(project, folder, (done, of, file) => onProgress(done, of, inFolder(file)))
  const found = rules.flatMap((rule) => findingsOf(rule, traces, { project, others: other, inFolder }))
  const { findings, ignored } = withoutIgnored(found, project, { code, inFolder })
  const failures = [...traces.failures].map(([file, reason]) => ({ file, reason }))
  return {
    folder,
    findings: findings.toSorted(byPlace),
    ignored,
    files: code.length,
    handlers: traces.traces.length,
    skipped: [...project.skipped(), ...failures].map(({ file, reason }) => ({ file: inFolder(file), reason })),
    milliseconds: Math.round(performance.now() - startedAt),
  }
}

type Surroundings = {
  readonly project: Project
  readonly others: readonly string[]
  readonly inFolder: (file: string) => string
}

function findingsOf(rule: Rule, traces: Traces, { project, others, inFolder }: Surroundings): readonly Finding[] {
  const { name, severity, title, cure, link } = rule
  const seen = new Set<string>()
  return rule.find(traces, { files: project.files, text: project.text, others }).flatMap(({ node, file, story }) => {
    const { line = 1, column = 0 } = node.loc?.start ?? {}
    const place = `${file}:${line}:${column}`
    // One function may be reached from several handlers.
    if (seen.has(place)) return []
    seen.add(place)
    return [
      {
        rule: name,
        severity,
        title,
        file: inFolder(file),
        line,
        column: column + 1,
        story,
        cure,
        link,
        ...frameOf(project.text(file), line),
      },
    ]
  })
}

type Places = { readonly code: readonly string[]; readonly inFolder: (file: string) => string }

/** A comment with a reason silences its line and the next one. One without is a finding itself. */
function withoutIgnored(
  findings: readonly Finding[],
  project: Project,
  { code, inFolder }: Places,
): { readonly findings: readonly Finding[]; readonly ignored: number } {
  const { name: rule, ...words } = ignoreWithoutReason
  const commented = code.filter((file) => project.text(file).includes('oncehook-ignore'))
  const lists = commented.map((file) => ({ file, list: ignoreComments(project.comments(file)) }))
  const comments = new Map(lists.map(({ file, list }) => [inFolder(file), list]))
  const isIgnored = ({ file, line }: Finding): boolean =>
    comments.get(file)?.some(({ lines, reason }) => reason !== '' && lines.includes(line)) === true
  const story = 'This comment does not say why.'
  const unexplained = lists.flatMap(({ file, list }) =>
    list
      .filter(({ reason }) => reason === '')
      .map(({ line }) => ({
        rule,
        ...words,
        file: inFolder(file),
        line,
        column: 1,
        story,
        ...frameOf(project.text(file), line),
      })),
  )
  const left = findings.filter((finding) => !isIgnored(finding))
  return { findings: [...left, ...unexplained], ignored: findings.length - left.length }
}

/** The line, with one before and one after it. */
function frameOf(text: string, line: number): Pick<Finding, 'code' | 'firstLine'> {
  const firstLine = Math.max(1, line - 1)
  return { firstLine, code: text.split(/\r?\n/).slice(firstLine - 1, line + 1) }
}

function byPlace(one: Finding, other: Finding): number {
  return one.file.localeCompare(other.file, 'en') || one.line - other.line || one.column - other.column
}
