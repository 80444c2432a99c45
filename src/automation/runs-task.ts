import type { AutomationStore } from '../store/automation-store.ts'
import type { UpkeepTask } from '../upkeep.ts'

const batchSize = 500

/** Removes runs that are past their days. */
export function runsTask(
  store: Pick<AutomationStore, 'pruneRuns'>,
  { environment, keepRunDays }: { readonly environment: string; readonly keepRunDays: number },
): UpkeepTask {
  return {
    name: 'automation-runs',
    everySeconds: 3600,
    async run({ lease, mayContinue }) {
      let runs = 0
      while (mayContinue()) {
        const removed = await store.pruneRuns(lease, { environment, olderThanDays: keepRunDays, limit: batchSize })
        if (removed === 'lease_lost') return { outcome: 'unfinished', counts: { runs } }
        runs += removed
        if (removed < batchSize) return { counts: { runs } }
      }
      return { outcome: 'unfinished', counts: { runs } }
    },
  }
}
