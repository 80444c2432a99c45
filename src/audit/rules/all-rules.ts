import type { Rule } from '../finding.ts'
import { acknowledgedBeforeDurable } from './acknowledged-before-durable.ts'
import { claimThenProcess } from './claim-then-process.ts'
import { dedupOnBodyHash } from './dedup-on-body-hash.ts'
import { deleteOnFailure } from './delete-on-failure.ts'
import { foreignCallBeforeCommit } from './foreign-call-before-commit.ts'
import { missingRetention } from './missing-retention.ts'
import { nonConstantTimeComparison } from './non-constant-time-comparison.ts'
import { parsedBodyVerified } from './parsed-body-verified.ts'
import { selectThenInsert } from './select-then-insert.ts'
import { separateTransactions } from './separate-transactions.ts'

/** All faults that are looked for. */
export const allRules: readonly Rule[] = [
  selectThenInsert,
  claimThenProcess,
  deleteOnFailure,
  separateTransactions,
  acknowledgedBeforeDurable,
  foreignCallBeforeCommit,
  parsedBodyVerified,
  nonConstantTimeComparison,
  dedupOnBodyHash,
  missingRetention,
]
