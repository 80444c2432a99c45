import { causeNamed } from '../../prover/causes.ts'
import type { Rule } from '../finding.ts'
import { called, comesAfter, isSamePlace, isStored, lineBeside, recordsOf } from './memory.ts'

const { name, title, cure, link } = causeNamed('separate-transactions')

/** The work is sent past the transaction that holds the mark. */
export const separateTransactions: Rule = {
  name,
  severity: 'error',
  title,
  cure,
  link,
  find: ({ traces }) =>
    traces.flatMap((trace) =>
      recordsOf(trace).flatMap((claim) =>
        trace.steps.filter(isStored).flatMap((step) => {
          const isChange = step.kind === 'record' || step.kind === 'write' || step.kind === 'erase'
          const isBesides = typeof claim.fate === 'number' && step.fate === 'alone' && step.besides === claim.fate
          if (
            !isChange ||
            !isBesides ||
            isSamePlace(step, claim) ||
            !(comesAfter(step, claim) || comesAfter(claim, step))
          )
            return []
          const story = `The event is recorded in a transaction (${lineBeside(claim, step)}), but this write to ${called(step)} goes past it and is committed by itself: if the transaction rolls back, the redelivery writes it again.`
          return [{ node: step.node, file: step.file, story }]
        }),
      ),
    ),
}
