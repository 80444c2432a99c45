import type { Clock } from '../clock.ts'
import type { InboxListener } from '../events.ts'
import type { RetentionStore } from '../store/retention-store.ts'
import type { UpkeepTask } from '../upkeep.ts'
import { secondsUntilOpen } from './off-peak.ts'
import { pruneLedger } from './prune-ledger.ts'
import { pruneLogs } from './prune-logs.ts'
import type { RetentionSettings } from './retention-options.ts'
import { findStretches } from './stretches.ts'
import { createWalker } from './walk.ts'

export type LedgerTaskParts = {
  readonly store: RetentionStore
  readonly environment: string
  readonly settings: RetentionSettings
  readonly clock: Clock
  readonly emit: InboxListener
  /** `stored`: follows what was written down, and writes nothing. Default `own`. */
  readonly rules?: 'own' | 'stored'
  readonly onRemoved?: (count: number) => void
}

/** How soon there is another run if one was not enough. */
const catchUpSeconds = 120

/** Three quarters of the time belong to deliveries and workers. */
const restFactor = 3

/** A database whose clock is wrong by so much would lose what is still needed. */
const largestSkewHours = 6

/** Removes what is past its days, for one environment. */
export function ledgerTask(parts: LedgerTaskParts): UpkeepTask {
  const { store, environment, settings, clock, emit, rules = 'own', onRemoved } = parts
  const { window, budgetSeconds, batchSize } = settings
  const untilOpen = (): number => (window === undefined ? 0 : secondsUntilOpen(window, clock.now()))

  return {
    name: 'ledger',
    everySeconds: 3600,
    async run({ lease, signal, mayContinue }) {
      const plan =
        rules === 'stored'
          ? await store.readRules(environment)
          : await store.saveRules(lease, environment, settings.rules)
      if (untilOpen() > 0) return { nextInSeconds: untilOpen() }
      const stretches = await findStretches(store, plan)
      if (isClockWrong(stretches.now)) return {}
      const endsAt = performance.now() + budgetSeconds * 1000
      const walker = createWalker({
        clock,
        signal,
        restFactor,
        onRemoved,
        mayContinue: () => mayContinue() && performance.now() < endsAt && untilOpen() === 0,
      })
      const ledger = await pruneLedger({ store, lease, environment, stretches, batchSize, walker })
      const logs = await pruneLogs({ store, lease, environment, settings, walker })
      const counts = { ...ledger.counts, ...logs.counts }
      if (ledger.isFinished && logs.isFinished) return { counts }
      if (!mayContinue()) return { outcome: 'unfinished', counts }
      return { outcome: 'unfinished', counts, nextInSeconds: Math.max(catchUpSeconds, untilOpen()) }
    },
  }

  function isClockWrong(now: Date): boolean {
    const hours = (now.getTime() - clock.now().getTime()) / 3_600_000
    if (Math.abs(hours) <= largestSkewHours) return false
    const difference = `${Math.abs(hours).toFixed(1)} h ${hours > 0 ? 'ahead of' : 'behind'}`
    const message = `Nothing is pruned: the database's clock is ${difference} this process's, and one of them is wrong.`
    emit({ kind: 'notice', level: 'error', message })
    return true
  }
}

/** With retention switched off, what was said before must not go on being followed. */
export function keepEverythingTask({ store, environment }: Pick<LedgerTaskParts, 'store' | 'environment'>): UpkeepTask {
  return {
    name: 'ledger',
    everySeconds: 86_400,
    async run({ lease }) {
      await store.removeRules(lease, environment)
      return {}
    },
  }
}
