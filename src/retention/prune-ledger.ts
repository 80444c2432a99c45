import type { RetentionStore, SourceStep, StepResult } from '../store/retention-store.ts'
import type { UpkeepLease } from '../store/upkeep-store.ts'
import type { Stretch, Stretches } from './stretches.ts'
import type { Walked, Walker } from './walk.ts'

/** What was removed, and whether it is all. */
export type Pruned = { readonly isFinished: boolean; readonly counts: Readonly<Record<string, number>> }

export type PruneParts = {
  readonly store: RetentionStore
  readonly lease: UpkeepLease
  readonly environment: string
  readonly stretches: Stretches
  readonly batchSize: number
  readonly walker: Walker
}

/** Bodies first, as it takes a receipt to find one; then receipts; then those that could not go before. */
export async function pruneLedger(parts: PruneParts): Promise<Pruned> {
  const { store, lease, environment, stretches, batchSize: limit, walker } = parts
  let bodies = 0
  const heldUp = new Set<string>()
  for (const stretch of stretches.bodies) {
    const walked = await walkStretch(stretch, (step) => store.pruneBodies(lease, step))
    bodies += walked.removed
    if (!walked.isFinished) for (const source of stretch.sources) heldUp.add(source)
  }

  let receipts = 0
  let isFinished = heldUp.size === 0
  for (const { sources, ...stretch } of stretches.receipts) {
    const free = sources.filter((source) => !heldUp.has(source))
    if (free.length === 0) continue
    const walked = await walkStretch({ ...stretch, sources: free }, (step) => store.pruneReceipts(lease, step))
    receipts += walked.removed
    isFinished &&= walked.isFinished
  }
  // Their receipts go in a later run.
  for (const stretch of stretches.keys) {
    isFinished = (await walkStretch(stretch, (step) => store.keepKeys(lease, step))).isFinished && isFinished
  }
  const overdue = await walker.walk((after = '0') => store.pruneOverdue(lease, { environment, after, limit }))
  return { isFinished: isFinished && overdue.isFinished, counts: { receipts: receipts + overdue.removed, bodies } }

  function walkStretch(stretch: Stretch, prune: (step: SourceStep) => Promise<StepResult>): Promise<Walked> {
    const { sources, beforeId } = stretch
    return walker.walk((after = stretch.after) => prune({ environment, sources, after, beforeId, limit }))
  }
}
