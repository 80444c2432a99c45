import type { SearchableProject } from '../finding.ts'
import type { Step } from '../run/step.ts'
import type { Trace, Traces } from '../traces.ts'
import { catchesViolation, comesAfter, isSamePlace, isStored, isWork, recordsOf, type StoredStep } from './memory.ts'

/** A record that decides whether an event is new, with work that follows and does not share its fate. */
export type LooseClaim = {
  readonly claim: StoredStep
  readonly work: Step
  /** The mark is taken back where the work fails. */
  readonly erased: Step | undefined
  readonly trace: Trace
}

/** Claims that are durable before the work is: committed by themselves, or with a transaction that has ended. */
export function looseClaims({ traces }: Traces, project: SearchableProject): readonly LooseClaim[] {
  return traces.flatMap((trace) =>
    recordsOf(trace).flatMap((claim) => {
      if (claim.isReceipt || claim.fate === 'unsure' || isLookedUpFirst(trace, claim)) return []
      const catches = !claim.isAtomic && claim.store === 'database' && catchesViolation(project.text(claim.file))
      const work = trace.steps.find(
        (step) =>
          comesAfter(step, claim) &&
          isWork(step, claim) &&
          !step.isInCatch &&
          (step.facts.get(claim.number) === 'present' || (catches && !step.facts.has(claim.number))) &&
          isDurableBefore(claim, step),
      )
      if (work === undefined) return []
      const erased = trace.steps.find(
        (step) =>
          isStored(step) &&
          step.kind === 'erase' &&
          step.isInCatch &&
          isSamePlace(step, claim) &&
          comesAfter(step, claim),
      )
      return [{ claim, work, erased, trace }]
    }),
  )
}

/** That is another fault, with a rule of its own. */
function isLookedUpFirst({ steps }: Trace, claim: StoredStep): boolean {
  return steps.some(
    (step) =>
      isStored(step) &&
      step.kind === 'lookup' &&
      isSamePlace(step, claim) &&
      claim.facts.get(step.number) === 'empty' &&
      !claim.isAtomic,
  )
}

function isDurableBefore(claim: StoredStep, step: Step): boolean {
  if (claim.fate === 'alone') return true
  return step.before.some((each) => each.kind === 'end' && each.transaction === claim.fate && comesAfter(each, claim))
}
