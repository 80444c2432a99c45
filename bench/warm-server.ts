import { setTimeout } from 'node:timers/promises'
import { startContestant } from './child.ts'
import { type BenchDatabase, checkpoint, createDatabase } from './databases.ts'
import { runLoad } from './load.ts'
import { checkStored, countStored, type ServerContender } from './measure-server.ts'
import { processorTimePer, readProcessorTime } from './processor-time.ts'
import type { RequestFile } from './request-file.ts'
import type { Settings } from './settings.ts'
import type { Stage } from './stage.ts'

/** A server that stays for all rounds. */
export type WarmServer = {
  readonly contender: ServerContender
  /** Loads it, with empty tables at the start, and looks whether it stored what it accepted. */
  readonly measure: (connections: number, requests: () => RequestFile) => Promise<Readonly<Record<string, number>>>
  readonly stop: () => Promise<void>
}

/** Whoever is in the way is done within a moment. */
const emptyingAttempts = 20

/** Between two statements of a busy server there is less time than that. */
const quietMilliseconds = 50
const quietLooks = 4

/**
 * While others have their turn, a server is idle for most of a minute. After a while without traffic the engine throws away whatever is
 * in nobody's hands, with all compiled code that knew it, and takes twice the time until it has compiled that again. A server that is busy
 * never gets there.
 */
const flags = ['--no-memory-reducer']

/** In a piece, so that a file of requests is enough for it. */
const longestWarmUpSeconds = 5

/**
 * Servers run for days, and for the first half minute Node is still compiling: the same server takes several times as much then. So each
 * is started once, and is under load for as long as the others before the first round, with as many connections as it will have then: a
 * delivery that comes alone takes another way than one of a group.
 */
export async function startWarmServer(
  stage: Stage,
  settings: Settings,
  contender: ServerContender,
  warmUp: { readonly connections: readonly number[]; readonly file: () => RequestFile },
): Promise<WarmServer> {
  const database = await createDatabase(stage.postgres)
  const environment = { ...stage.environment, DATABASE_URL: database.url }
  const server = startContestant({ file: contender.file, node: stage.nodes.server, flags, environment })
  const { port = 0 } = await server.hear('listening')
  const load = { wrk: stage.wrk, port, skip: 0, mayRepeat: contender.counts.length === 0 }

  /** What was under way when the load ended may hold some of the tables and wait for others. */
  async function empty(): Promise<void> {
    if (contender.tables.length === 0) return
    await untilQuiet(database)
    const sql = `truncate ${contender.tables.join(', ')}`
    for (let left = emptyingAttempts; ; left -= 1) {
      try {
        await database.query(sql)
        return
      } catch (error) {
        if (left === 0) throw error
      }
    }
  }

  const secondsOfEach = settings.serverWarmUpSeconds / warmUp.connections.length
  for (const connections of warmUp.connections) {
    for (let left = secondsOfEach; left > 0; left -= longestWarmUpSeconds) {
      await empty()
      const seconds = Math.ceil(Math.min(left, longestWarmUpSeconds))
      await runLoad({ ...load, file: warmUp.file(), connections, seconds })
    }
  }

  return {
    contender,
    async measure(connections, requests) {
      if (settings.leadInSeconds > 0) {
        await empty()
        await runLoad({ ...load, file: requests(), connections, seconds: settings.leadInSeconds })
      }
      await empty()
      await checkpoint(stage.postgres)
      const file = requests()
      const readTime = () => readProcessorTime([server.processId], stage.postgres.processId())
      const before = readTime()
      const report = await runLoad({ ...load, file, connections, seconds: settings.loadSeconds })
      const { node, postgres } = processorTimePer(report.requests, before, readTime())
      checkStored({ contender, connections, file }, await countStored(database, contender), [report])
      return {
        perSecond: report.perSecond,
        p50: report.p50Milliseconds,
        p99: report.p99Milliseconds,
        node,
        postgres,
      }
    },
    stop: async () => {
      await server.stop()
      await database.drop()
    },
  }
}

/** What a server was still busy with when the load ended would count for the next one. */
async function untilQuiet({ number }: BenchDatabase): Promise<void> {
  const busySql =
    "select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'"
  for (let quiet = 0; quiet < quietLooks; quiet += 1) {
    if ((await number(busySql)) > 0) quiet = -1
    await setTimeout(quietMilliseconds)
  }
}

/** Starts them one after another, and stops all of them when the work is done. */
export async function withWarmServers<Key>(
  servers: readonly { readonly key: Key; readonly start: () => Promise<WarmServer> }[],
  work: (servers: readonly { readonly key: Key; readonly server: WarmServer }[]) => Promise<void>,
): Promise<void> {
  const running: { readonly key: Key; readonly server: WarmServer }[] = []
  try {
    for (const { key, start } of servers) running.push({ key, server: await start() })
    await work(running)
  } finally {
    for (const { server } of running) await server.stop()
  }
}
