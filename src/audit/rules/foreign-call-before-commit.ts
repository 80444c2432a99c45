import type { Rule } from '../finding.ts'
import type { Trace } from '../traces.ts'
import { recordsOf } from './memory.ts'

/** A call that a roll-back cannot take back. */
export const foreignCallBeforeCommit: Rule = {
  name: 'foreign-call-before-commit',
  severity: 'error',
  title: 'Foreign call before the commit',
  cure: 'Write a message to an outbox in the same transaction and send it after the commit, or give the call an idempotency key that is the same on every retry.',
  link: 'docs/audit.md#foreign-call-before-commit',
  find: ({ traces }) =>
    traces.flatMap((trace) =>
      trace.steps.flatMap((step) => {
        if (step.kind !== 'foreign' || step.open.length === 0 || !isForWebhooks(trace, step.open)) return []
        const story = `${step.what} is called before the transaction commits. If it rolls back, the call has happened all the same, and the redelivery makes it again.`
        return [{ node: step.node, file: step.file, story }]
      }),
    ),
}

function isForWebhooks(trace: Trace, open: readonly number[]): boolean {
  return trace.isWebhook || recordsOf(trace).some(({ fate }) => typeof fate === 'number' && open.includes(fate))
}
