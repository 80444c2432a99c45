import type { RetentionStore, SourcePlan } from '../store/retention-store.ts'
import { findStretches } from './stretches.ts'

/** What pruning would remove now. */
export type DryRun = {
  readonly sources: readonly {
    readonly source: string
    readonly keepDays: number
    readonly keepBodyDays: number
    /** Whether keys stay for ever. */
    readonly keepsKeys: boolean
    /** Receipts that are past their days and may go. */
    readonly receipts: number
  }[]
  /** Days whose bodies are all past theirs. */
  readonly bodyDays: readonly string[]
}

const lookedAtPerStep = 5000

/** Reads what is past its days, and nothing else. */
export async function dryRun(
  store: RetentionStore,
  {
    environment,
    plan,
    signal,
  }: { readonly environment: string; readonly plan: readonly SourcePlan[]; readonly signal: AbortSignal | undefined },
): Promise<DryRun> {
  const sources = []
  for (const source of plan) {
    const { receipts: stretches } = await findStretches(store, [source])
    let receipts = 0
    for (const { sources: names, after, beforeId } of stretches) {
      let next: string | undefined = after
      while (next !== undefined) {
        signal?.throwIfAborted()
        const result = await store.countPrunable({
          environment,
          sources: names,
          after: next,
          beforeId,
          limit: lookedAtPerStep,
        })
        if (result.kind === 'lease_lost') break
        receipts += result.removed
        next = result.next
      }
    }
    const { source: name, keepDays, keepBodyDays, keepsKeys } = source
    sources.push({ source: name, keepDays, keepBodyDays, keepsKeys, receipts })
  }
  return { sources, bodyDays: (await store.pastBodyDays()).map(({ day }) => day) }
}
