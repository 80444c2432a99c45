import { causeNamed } from '../../prover/causes.ts'
import type { Breach, Rule, SearchableProject } from '../finding.ts'
import type { Step } from '../run/step.ts'
import type { Trace } from '../traces.ts'
import {
  called,
  catchesViolation,
  comesAfter,
  isAboutSeenEvents,
  isSamePlace,
  isStored,
  isWork,
  lineBeside,
  type StoredStep,
} from './memory.ts'
import { hasUniqueKey } from './unique-key.ts'

const { name, title, cure, link } = causeNamed('select-then-insert')

/** "Have I seen it?" and "now I have" are two statements. */
export const selectThenInsert: Rule = {
  name,
  severity: 'error',
  title,
  cure,
  link,
  find: ({ traces }, project) => traces.flatMap((trace) => breachesIn(trace, project)),
}

function breachesIn(trace: Trace, project: SearchableProject): readonly Breach[] {
  const stored = trace.steps.filter(isStored)
  return stored.flatMap((lookup) => {
    if (lookup.kind !== 'lookup' || !isAboutSeenEvents(lookup)) return []
    const record = stored.find(
      (step) =>
        step.kind === 'record' &&
        isSamePlace(step, lookup) &&
        step.facts.get(lookup.number) === 'empty' &&
        !step.before.some(({ kind }) => kind === 'lock') &&
        !decides(trace, { lookup, record: step }, project),
    )
    if (record === undefined) return []
    const place = lookup.store === 'redis' ? 'the key' : `a row in ${called(lookup)}`
    const story = `Two copies that come at once both look here and find nothing, before either has written ${place} (${lineBeside(record, lookup)}): both do the work.`
    return [{ node: lookup.node, file: lookup.file, story }]
  })
}

type Pair = { readonly lookup: StoredStep; readonly record: StoredStep }

/** The look-up only saves time where the insert itself decides, before any work, or where something else has decided in between. */
function decides({ steps }: Trace, { lookup, record }: Pair, project: SearchableProject): boolean {
  const between = record.before.filter((step) => comesAfter(step, lookup))
  const another = between.find(
    (step) =>
      isStored(step) &&
      step.kind === 'record' &&
      step.isAtomic &&
      isAboutSeenEvents(step) &&
      !isSamePlace(step, lookup),
  )
  if (another !== undefined) return true
  if (isUndoneTogether(steps, { lookup, record }) && hasUniqueKey(record.table, project)) return true
  if (between.some((step) => isWork(step, lookup))) return false
  if (!record.isAtomic) return record.store === 'database' && catchesViolation(project.text(record.file))
  return steps.some(({ facts }) => facts.has(record.number))
}

/** A plain insert fails where the row is there already, and takes back all the work with it if that is in its transaction. */
function isUndoneTogether(steps: readonly Step[], { lookup, record }: Pair): boolean {
  if (record.isAtomic || typeof record.fate !== 'number') return false
  const work = steps.filter((step) => isWork(step, lookup) && (comesAfter(step, lookup) || comesAfter(step, record)))
  return work.every((step) => isStored(step) && step.fate === record.fate)
}
