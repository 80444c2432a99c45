import { causeNamed } from '../../prover/causes.ts'
import type { Rule } from '../finding.ts'
import { soundsLikeMemory } from '../know/names.ts'
import { has } from '../run/value.ts'
import type { Trace } from '../traces.ts'
import { isConsulted, isSamePlace, isStored, type StoredStep } from './memory.ts'

const { name, title, cure, link } = causeNamed('dedup-on-body-hash')

/** Events are told apart by their bytes. */
export const dedupOnBodyHash: Rule = {
  name,
  severity: 'error',
  title,
  cure,
  link,
  find: ({ traces }) =>
    traces.flatMap((trace) => {
      const keyed = trace.steps.filter(isStored).filter((step) => isKeyedByHash(trace, step))
      // Once for each table: a look-up and an insert by the same key are one mistake.
      return keyed
        .filter((step, index) => keyed.findIndex((other) => isSamePlace(other, step)) === index)
        .map(({ node, file }) => ({
          node,
          file,
          story:
            'Events are told apart by a hash of the body. A redelivery may have other bytes, and is then done again; two events with equal bytes count as one.',
        }))
    }),
}

function isKeyedByHash(trace: Trace, step: StoredStep): boolean {
  if (step.kind !== 'lookup' && step.kind !== 'record') return false
  const isHash = has(step.key, 'body-hash') && !has(step.key, 'event-id')
  return (
    isHash &&
    (isConsulted(trace, step) || soundsLikeMemory(step.table)) &&
    (trace.isWebhook || soundsLikeMemory(step.table))
  )
}
