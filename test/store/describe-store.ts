import { describe } from 'vitest'
import { describeAlerts } from './describe-alerts.ts'
import { describeDatastore } from './describe-datastore.ts'
import { describeEffects } from './describe-effects.ts'
import { describeFinishing } from './describe-finishing.ts'
import { describeHandlers } from './describe-handlers.ts'
import { describeHealth } from './describe-health.ts'
import { describeHousekeepingInShort } from './describe-housekeeping.ts'
import { describeLogs } from './describe-logs.ts'
import { describeOrder } from './describe-order.ts'
import { describeQueue } from './describe-queue.ts'
import { describeReading } from './describe-reading.ts'
import { describeRecording } from './describe-recording.ts'
import { describeRecovery } from './describe-recovery.ts'
import { describeReplayedBodies } from './describe-replayed-bodies.ts'
import { describeShadow } from './describe-shadow.ts'
import { describeTransactions } from './describe-transactions.ts'
import type { MakeStore } from './store-under-test.ts'

/** Every promise of `Store`, once. A new implementation is right when this passes on it. */
export function describeStore<Tx>(name: string, makeStore: MakeStore<Tx>): void {
  describe(name, () => {
    describeRecording(makeStore)
    describeReplayedBodies(makeStore)
    describeQueue(makeStore)
    describeOrder(makeStore)
    describeTransactions(makeStore)
    describeFinishing(makeStore)
    describeHandlers(makeStore)
    describeEffects(makeStore)
    describeDatastore(makeStore)
    describeReading(makeStore)
    describeLogs(makeStore)
    describeRecovery(makeStore)
    describeShadow(makeStore)
    describeAlerts(makeStore)
    describeHousekeepingInShort(makeStore)
    describeHealth(makeStore)
  })
}
