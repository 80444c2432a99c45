import type { Clock } from './clock.ts'
import type { InboxListener } from './events.ts'
import { bodiesTask } from './retention/bodies-task.ts'
import { type DryRun, dryRun } from './retention/dry-run.ts'
import { ledgerTask } from './retention/ledger-task.ts'
import { type RetentionOptions, retentionSettings } from './retention/retention-options.ts'
import type { LedgerDay } from './store/retention-store.ts'
import type { Store } from './store/store.ts'
import { createUpkeep } from './upkeep.ts'
import type { Provider } from './verify/provider.ts'

/** By whose rules it is pruned, and how to follow and to stop it. */
export type PruneOptions = {
  /** `own` (default): what the sources of this inbox say. `stored`: what was said last, by whichever process, for all sources. */
  readonly rules?: 'own' | 'stored'
  /** How many receipts were removed so far. */
  readonly onProgress?: (receipts: number) => void
  /** Ends it after the step that is under way. */
  readonly signal?: AbortSignal
}

/** What was removed, or would be. */
export type PruneReport = {
  /** `busy`: another process is at it. `stopped`: by the signal. `unfinished`: something was in use, and is left to upkeep. */
  readonly outcome: 'done' | 'stopped' | 'busy' | 'unfinished'
  /** What was removed: `receipts`, `bodies` that went one by one, `partitionsDropped`, … */
  readonly counts: Readonly<Record<string, number>>
}

/** How the ledger grows, and shrinks. */
export type RetentionView = {
  /** How the ledger grew and shrank, by day and source, newest first. Kept by upkeep, so that nothing has to be counted. Default 30 days. */
  readonly ledgerDays: (options?: { readonly days?: number }) => Promise<readonly LedgerDay[]>
  /** Removes what is past its days now, all of it, without waiting for upkeep and its hours. */
  readonly prune: (options?: PruneOptions) => Promise<PruneReport>
  /** What that would remove, by source. Changes nothing. */
  readonly pruneDryRun: (options?: Pick<PruneOptions, 'rules' | 'signal'>) => Promise<DryRun>
}

export type RetentionViewParts<Tx> = {
  readonly store: Pick<Store<Tx>, 'retention' | 'upkeep'>
  readonly environment: string
  readonly sources: ReadonlyMap<string, Provider>
  readonly options: RetentionOptions | 'off' | undefined
  readonly worker: string
  readonly clock: Clock
  readonly random: () => number
  readonly emit: InboxListener
  readonly leaseSeconds: number
  readonly ready: () => Promise<void>
}

export function createRetentionView<Tx>(parts: RetentionViewParts<Tx>): RetentionView {
  const { store, environment, sources, clock, emit, ready } = parts
  const settings = {
    ...retentionSettings(parts.options === 'off' ? {} : (parts.options ?? {}), sources),
    // Whoever asks for it now means all of it, and now.
    window: undefined,
    budgetSeconds: Number.POSITIVE_INFINITY,
  }

  return {
    async ledgerDays({ days = 30 } = {}) {
      await ready()
      return store.retention.days(environment, days)
    },
    async prune({ rules = 'own', onProgress, signal = new AbortController().signal } = {}) {
      await ready()
      let receipts = 0
      const onRemoved = (count: number): void => {
        receipts += count
        onProgress?.(receipts)
      }
      const retention = { store: store.retention, environment, settings, clock, emit }
      const bodies = bodiesTask(retention)
      const ledger = ledgerTask({ ...retention, rules, onRemoved })
      const upkeep = createUpkeep({ ...parts, store: store.upkeep, tasks: [bodies, ledger] })
      const counts: Record<string, number> = {}
      let outcome: PruneReport['outcome'] = 'done'
      // Days are counted before receipts go, and bodies go by rules that the ledger's task may have to write down first.
      for (const { name } of [bodies, ledger, bodies]) {
        const result = await upkeep.doNow(name, signal)
        if (result === 'busy' || result.outcome === 'lease_lost') return { outcome: 'busy', counts }
        if (result.outcome === 'failed') throw result.failure
        for (const [what, count] of Object.entries(result.counts)) counts[what] = (counts[what] ?? 0) + count
        if (signal.aborted) return { outcome: 'stopped', counts }
        outcome = result.outcome === 'done' ? outcome : 'unfinished'
      }
      return { outcome, counts }
    },
    async pruneDryRun({ rules = 'own', signal } = {}) {
      await ready()
      const stored = await store.retention.readRules(environment)
      const plan =
        rules === 'stored'
          ? stored
          : settings.rules.map((rule) => ({
              ...unfollowed,
              ...stored.find(({ source }) => source === rule.source),
              ...rule,
            }))
      return dryRun(store.retention, { environment, plan, signal })
    },
  }
}

/** A rule that nobody has written down yet. */
const unfollowed = {
  prunedTo: '0',
  bodiesPrunedTo: '0',
  keysKeptTo: '0',
  areKeysSettled: true,
  needsPruneBodies: false,
}
