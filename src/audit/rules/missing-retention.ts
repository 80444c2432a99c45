import type { Breach, Rule, SearchableProject } from '../finding.ts'
import type { Traces } from '../traces.ts'
import { isAboutSeenEvents, isConsulted, isStored, type StoredStep } from './memory.ts'

/** What is remembered for ever grows for ever. */
export const missingRetention: Rule = {
  name: 'missing-retention',
  severity: 'hint',
  title: 'No retention',
  cure: 'Delete what is older than twice the time in which the provider sends again, on a schedule and in small batches; in Redis give the key an expiry of that length.',
  link: 'docs/audit.md#missing-retention',
  find: (traces, project) => [...tables(traces)].flatMap((record) => breachOf(record, project)),
}

/** One record for each table that remembers events. */
function tables({ traces }: Traces): Iterable<StoredStep> {
  const found = new Map<string, StoredStep>()
  for (const trace of traces)
    for (const step of trace.steps) {
      if (!isStored(step) || step.kind !== 'record' || !step.isNameSure || !isAboutSeenEvents(step)) continue
      const isAsked =
        isConsulted(trace, step) || [...step.facts].some(([number]) => isLookUpOf(trace.steps, number, step))
      const known = found.get(step.table)
      const isFirst = known === undefined || `${step.file}:${step.node.start}` < `${known.file}:${known.node.start}`
      if (isAsked && isFirst) found.set(step.table, step)
    }
  return found.values()
}

function isLookUpOf(steps: Traces['traces'][number]['steps'], number: number, record: StoredStep): boolean {
  return steps.some(
    (step) => step.number === number && isStored(step) && step.kind === 'lookup' && step.table === record.table,
  )
}

function breachOf(record: StoredStep, project: SearchableProject): readonly Breach[] {
  const { node, file, table, store, expires } = record
  if (store === 'redis') {
    const story = 'This key never expires, so that Redis grows with every event.'
    return expires ? [] : [{ node, file, story }]
  }
  if ([...project.files, ...project.others].some((each) => removesFrom(table, project.text(each)))) return []
  return [
    { node, file, story: `Nothing in the project removes old rows from ${table}, so that it grows with every event.` },
  ]
}

/**
 * Whether a text removes rows of the table, or speaks of it. A deletion by its key is none: that takes one event
 * back. The name of this rule in a comment is none either.
 */
function removesFrom(table: string, text: string): boolean {
  const names = [
    table,
    table.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_'),
    table.replaceAll(/_+([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  ]
  if (!names.some((name) => text.toLowerCase().includes(name.toLowerCase()))) return false
  const name = String.raw`["'\`]?(?:\w+\.)?["'\`]?(?:${names.map((each) => each.replaceAll(/\W/g, '.')).join('|')})s?\b["'\`]?`
  return [
    String.raw`delete\s+from\s+${name}(?!\s+where\s+\w+\s*=\s*(?:\$|\?|:|@))`,
    String.raw`(?:truncate|partition)[^;]{0,80}${name}|${name}[^;]{0,80}(?:partition by|drop partition)`,
    String.raw`${name}\.(?:deleteMany|destroy)\b|\.(?:delete|deleteFrom)\(\s*${name}`,
    String.raw`${name}\s*\)[\s\S]{0,160}\.(?:del|delete)\(`,
    String.raw`(?:prune|purge|clean-?_?up|(?<!missing-)retention|retain|expire|ttl)[\s\S]{0,120}${name}|${name}[\s\S]{0,120}(?:prune|purge|clean-?_?up|(?<!missing-)retention|expire|ttl)`,
  ].some((pattern) => new RegExp(pattern, 'i').test(text))
}
