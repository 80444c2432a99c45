import { startContestant } from './child.ts'
import type { BenchDatabase } from './databases.ts'
import type { Stage } from './stage.ts'

/** Oncehook's own pruning, at work in a process of its own. */
export type Pruning = {
  readonly processId: number
  /** Resolves when nothing is past its days any more, or when it was stopped. */
  readonly report: () => Promise<PruningReport>
  /** Ends it after the step that is under way. It goes on from there the next time. */
  readonly stop: () => Promise<void>
}

export type PruningReport = {
  readonly receipts: number
  readonly milliseconds: number
  /** Whether nothing was left to be pruned. */
  readonly isAll: boolean
}

const patienceSeconds = 3600

/** Resolves when it begins. Without `keepDays` it is the default of the provider. */
export async function startPruning(stage: Stage, database: BenchDatabase, keepDays?: number): Promise<Pruning> {
  const pruner = startContestant({
    file: 'contenders/oncehook-prune.mjs',
    node: stage.nodes.server,
    environment: {
      ...stage.environment,
      DATABASE_URL: database.url,
      ...(keepDays !== undefined && { KEEP_DAYS: String(keepDays) }),
    },
  })
  await pruner.hear('begins')

  return {
    processId: pruner.processId,
    stop: pruner.stop,
    async report() {
      const { receipts = 0, milliseconds = 0, isAll } = await pruner.hear('pruned', patienceSeconds)
      return { receipts, milliseconds, isAll: isAll === 1 }
    },
  }
}

/** Upkeep counts the receipts of each day as they come. Where they all came at once, it has to do that before it can prune. */
export async function letUpkeepCount(
  stage: Stage,
  database: BenchDatabase,
  say: (what: string) => void,
): Promise<void> {
  say('counting what is in the ledger')
  const pruning = await startPruning(stage, database, 400)
  const { receipts } = await pruning.report()
  await pruning.stop()
  if (receipts > 0) throw new Error(`${receipts} receipts were pruned too early.`)
}
