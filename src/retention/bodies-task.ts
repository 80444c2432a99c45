import type { RetentionStore } from '../store/retention-store.ts'
import type { UpkeepTask } from '../upkeep.ts'

/** Keeps the day partitions of bodies in order, for all environments that share the tables. */
export function bodiesTask(store: RetentionStore): UpkeepTask {
  return {
    name: 'bodies',
    scope: 'database',
    everySeconds: 3600,
    async run({ lease }) {
      return { counts: { partitionsMade: await store.prepareBodyDays(lease) } }
    },
  }
}
