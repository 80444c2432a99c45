import { basename } from 'node:path'
import { soundsLikeMemory } from '../know/names.ts'
import type { Place, Step, StoreStep } from '../run/step.ts'
import { has } from '../run/value.ts'
import type { Trace } from '../traces.ts'

export type StoredStep = Step & StoreStep

export function isStored(step: Step): step is StoredStep {
  return step.kind === 'lookup' || step.kind === 'record' || step.kind === 'write' || step.kind === 'erase'
}

/** Whether it is about which events have been seen: by what the row is told apart by, or by the name of the table. */
export function isAboutSeenEvents(step: StoredStep): boolean {
  return has(step.key, 'event-id', 'body-hash') || soundsLikeMemory(step.table)
}

export function recordsOf({ steps }: Trace): readonly StoredStep[] {
  return steps.filter(isStored).filter((step) => step.kind === 'record' && isAboutSeenEvents(step))
}

export function isSamePlace(one: StoredStep, other: StoredStep): boolean {
  return one.store === other.store && one.table === other.table
}

/** Whether a step is part of an event's work, and not of remembering it. */
export function isWork(step: Step, memory?: StoredStep): boolean {
  if (step.kind === 'work' || step.kind === 'foreign') return true
  if (step.kind !== 'record' && step.kind !== 'write') return false
  // What is kept in Redis besides is a cache.
  if (step.store === 'redis') return false
  return memory === undefined || !isSamePlace(step, memory)
}

export function comesAfter(step: Step, earlier: Step): boolean {
  return step.before.includes(earlier)
}

/** Whether somebody looks at what became of a look-up or record. */
export function isConsulted({ steps }: Trace, asked: Step): boolean {
  return steps.some(({ facts }) => facts.has(asked.number))
}

const violation =
  /23505|P2002|\b11000\b|ER_DUP_ENTRY|UniqueConstraint|unique_?violation|duplicate key|isUniqueViolation/i

/** Whether a file knows the error of a row that is there already, and so lets a plain insert decide. */
export function catchesViolation(text: string): boolean {
  return violation.test(text)
}

/** Where a step is, seen from another one: in the function that both belong to, also if it is done by something called there. */
export function placeBeside(step: Step, other: Step): Place {
  const shared = step.calls.findIndex(({ node }, index) => other.calls[index]?.node !== node)
  return (shared === -1 ? undefined : step.calls[shared]) ?? step
}

/** The same in words, for a finding at a place. */
export function lineBeside(step: Step, other: Step, found: Place = other): string {
  const { node, file } = placeBeside(step, other)
  const line = `line ${node.loc?.start.line ?? 0}`
  return file === found.file ? line : `${line} of ${basename(file)}`
}

/** How a table is called in a sentence. */
export function called({ table, store }: StoredStep): string {
  return store === 'redis' ? 'Redis' : table
}
