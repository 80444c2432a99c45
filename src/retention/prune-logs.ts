import type { PrunedLog, RetentionStore } from '../store/retention-store.ts'
import type { UpkeepLease } from '../store/upkeep-store.ts'
import type { Pruned } from './prune-ledger.ts'
import type { RetentionSettings } from './retention-options.ts'
import type { Walker } from './walk.ts'

export type PruneLogsParts = {
  readonly store: RetentionStore
  readonly lease: UpkeepLease
  readonly environment: string
  readonly settings: Pick<RetentionSettings, 'keepLogDays' | 'keepEffectDays'>
  readonly walker: Walker
}

/** By log, where the next run goes on. */
type Places = { readonly [Log in PrunedLog]?: string }

const rowsPerStep = 1000

/** Sorted by age. */
const byAge: ReadonlySet<PrunedLog> = new Set(['deliveries', 'shadow_calls'])

/** Most of these tables are walked round and round, some of it in each run. */
const stepsPerRun = 50

/** Log rows and keys that no receipt stands for any more go by their own age. */
export async function pruneLogs({ store, lease, environment, settings, walker }: PruneLogsParts): Promise<Pruned> {
  const { keepLogDays, keepEffectDays } = settings
  const logs: readonly PrunedLog[] = ['deliveries', 'shadow_calls', 'refusals', 'attempts']
  const effects: readonly PrunedLog[] = ['effects', 'versions', 'changes']
  const places = placesOf(await store.readPlace(lease))
  const next: Record<string, string | undefined> = { ...places }
  const counts: Record<string, number> = {}
  let isFinished = true
  for (const [log, olderThanDays] of [
    ...logs.map((name) => [name, keepLogDays] as const),
    ...effects.flatMap((name) => (keepEffectDays === 'forever' ? [] : [[name, keepEffectDays] as const])),
  ]) {
    const walked = await walker.walk(
      (after) => store.pruneLog(lease, log, { environment, olderThanDays, after, limit: rowsPerStep }),
      { from: places[log], mostSteps: byAge.has(log) ? Number.POSITIVE_INFINITY : stepsPerRun },
    )
    counts[log] = walked.removed
    // Where the next run goes on where this one ended, whatever it was that ended it.
    next[log] = byAge.has(log) || !walked.isFinished ? walked.place : undefined
    if (byAge.has(log) && !walked.isFinished) isFinished = false
  }
  await store.savePlace(lease, JSON.stringify(next))
  return { isFinished, counts }
}

function placesOf(text: string | undefined): Places {
  return text === undefined ? {} : (JSON.parse(text) as Places)
}
