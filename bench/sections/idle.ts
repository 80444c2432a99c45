import { setTimeout as wait } from 'node:timers/promises'
import { type Contestant, startContestant } from '../child.ts'
import { asAdministrator, type BenchDatabase, createDatabase } from '../databases.ts'
import { workerProcess } from '../measure-worker.ts'
import type { Section } from '../section.ts'
import type { Stage } from '../stage.ts'
import { graphileDefault, graphileWorker, oncehookOwn, pgBossDefault, type WorkerContender } from '../workers.ts'

const contenders = [graphileDefault, graphileWorker, pgBossDefault, oncehookOwn]
/** Connections report what they did up to 10 s later. */
const settleSeconds = 12

/** What a worker asks of the database while there is nothing to do. All idle at the same time, each in a database of its own. */
export const idle: Section = {
  name: 'idle',
  title: 'Idle: transactions of a worker with nothing to do, counted by the server',
  metrics: [
    { key: 'perMinute', title: 'per minute', digits: 1 },
    { key: 'transactions', title: 'counted', digits: 0 },
  ],
  contenders,
  baseline: pgBossDefault.key,
  async run({ stage, settings, say, record }) {
    say(`for ${settings.idleSeconds} s`)
    // Its transactions would be counted too.
    await setAutovacuum(stage, 'off')
    const idlers: Idler[] = []
    try {
      for (const contender of contenders) idlers.push(await startIdler(stage, contender))
      await wait(settleSeconds * 1000)
      const before = await Promise.all(idlers.map(({ database }) => countTransactions(stage, database)))
      await wait(settings.idleSeconds * 1000)
      for (const [index, { contender, database }] of idlers.entries()) {
        const transactions = (await countTransactions(stage, database)) - (before[index] ?? 0)
        const perMinute = (transactions / settings.idleSeconds) * 60
        const values = { transactions, perMinute }
        record({ scene: `${settings.idleSeconds} s`, contender: contender.key, round: 1, values })
      }
    } finally {
      for (const idler of idlers) await idler.stop()
      await setAutovacuum(stage, 'on')
    }
  },
}

type Idler = {
  readonly contender: WorkerContender
  readonly database: BenchDatabase
  readonly stop: () => Promise<void>
}

async function startIdler(stage: Stage, contender: WorkerContender): Promise<Idler> {
  const database = await createDatabase(stage.postgres)
  const process: Contestant = startContestant({ ...workerProcess(stage, contender, database), parameters: ['idle'] })
  await process.hear('idle')
  return {
    contender,
    database,
    async stop() {
      await process.stop()
      await database.drop()
    },
  }
}

/** Asked from another database, so that the question itself is not counted. */
async function countTransactions({ postgres }: Stage, { name }: BenchDatabase): Promise<number> {
  const [row] = await asAdministrator(
    postgres,
    `select xact_commit + xact_rollback as count from pg_stat_database where datname = '${name}'`,
  )
  return Number(row?.['count'])
}

async function setAutovacuum({ postgres }: Stage, state: 'on' | 'off'): Promise<void> {
  await asAdministrator(postgres, `alter system set autovacuum = ${state}`)
  await asAdministrator(postgres, 'select pg_reload_conf()')
}
