import type { CleanupHolder } from '../../../index.ts'
import { describeDuration } from '../../duration.ts'
import { printable, shortened } from '../../printable.ts'
import { describeBytes, sqlText } from '../amounts.ts'
import type { Check, Finding, Limits } from '../check.ts'

const muchLog = 1024 ** 3
const longSeconds = 3600

/** While one of these is there, no dead row younger than it can be removed, or the server's log grows. */
export const oldSnapshotsCheck: Check = {
  name: 'old-snapshots',
  run: ({ inspection: { holders }, limits }) => holders.flatMap((holder) => findingOf(holder, limits)),
}

function findingOf(holder: CleanupHolder, { transactionSeconds }: Limits): readonly Finding[] {
  if (holder.kind === 'replication_slot') {
    const { name, retainedBytes } = holder
    return [
      {
        severity: retainedBytes > muchLog ? 'error' : 'warning',
        fact: `Nobody reads the replication slot ${printable(name)}, for which the server keeps ${describeBytes(retainedBytes)} of its log, and more until the disk is full.`,
        cure: 'Start its reader again, or drop it.',
        sql: [`select pg_drop_replication_slot(${sqlText(name)})`],
      },
    ]
  }
  if (holder.seconds < transactionSeconds) return []
  const severity = holder.seconds > longSeconds ? 'error' : 'warning'
  const age = describeDuration(holder.seconds * 1000)
  if (holder.kind === 'prepared_transaction') {
    return [
      {
        severity,
        fact: `The prepared transaction ${printable(holder.name)} of ${printable(holder.user)} has waited for its end for ${age}, and keeps dead rows from being removed.`,
        cure: 'Commit it or roll it back.',
        sql: [`rollback prepared ${sqlText(holder.name)}`],
      },
    ]
  }
  const { processId, user, application, state } = holder
  const who = application === '' ? printable(user) : `${printable(user)} (${shortened(printable(application), 60)})`
  return [
    {
      severity,
      fact: `A transaction of ${who}, ${state}, has been open for ${age} and keeps dead rows from being removed.`,
      cure: 'End it, and set idle_in_transaction_session_timeout for that role.',
      sql: [`select pg_terminate_backend(${processId})`],
    },
  ]
}
