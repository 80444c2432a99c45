import type { DatastoreStore } from '../store/datastore-store.ts'
import type { UpkeepTask } from '../upkeep.ts'

const batchSize = 500

/** Removes values whose time is over. Nobody sees them before that either. */
export function expiryTask(store: Pick<DatastoreStore, 'removeExpired'>): UpkeepTask {
  return {
    name: 'datastore',
    everySeconds: 600,
    scope: 'database',
    async run({ lease, mayContinue }) {
      let values = 0
      while (mayContinue()) {
        const removed = await store.removeExpired(lease, batchSize)
        if (removed === 'lease_lost') return { outcome: 'unfinished', counts: { values } }
        values += removed
        if (removed < batchSize) return { counts: { values } }
      }
      return { outcome: 'unfinished', counts: { values } }
    },
  }
}
