import { startContestant } from './child.ts'
import { type BenchDatabase, checkpoint, createDatabase } from './databases.ts'
import { type Load, type LoadReport, runLoad } from './load.ts'
import { processorTimePer, readProcessorTime } from './processor-time.ts'
import type { RedisDisk } from './redis.ts'
import type { RequestFile } from './request-file.ts'
import type { Settings } from './settings.ts'
import type { Stage } from './stage.ts'

/** A server that takes deliveries. */
export type ServerContender = {
  readonly key: string
  readonly title: string
  readonly file: string
  /** Queries that each give the number of events that were stored; empty where nothing is. */
  readonly counts: readonly string[]
  /** Where they are, to be emptied before the next round. */
  readonly tables: readonly string[]
  /** Whether it needs a Redis, and how often that writes to disk. */
  readonly redis?: RedisDisk
  /** Left out of the quick form: it shows how far others could get, which is the same every time. */
  readonly isFullOnly?: true
}

export type ServerRun = {
  readonly contender: ServerContender
  readonly connections: number
  readonly file: RequestFile
  /** An existing database instead of a new one. It is not dropped. */
  readonly database?: BenchDatabase
  /** Every request is a duplicate of what is in that database, so the file may be sent again and again. */
  readonly isAllDuplicates?: boolean
}

/** Also before runs with one connection. */
const warmUpConnections = 64

/** Starts a server, warms it up, loads it and looks whether it stored what it accepted. For what is compared with itself; see `warm-server.ts`. */
export async function measureServer(
  stage: Stage,
  settings: Settings,
  run: ServerRun,
): Promise<Readonly<Record<string, number>>> {
  const { contender, connections, file } = run
  const database = run.database ?? (await createDatabase(stage.postgres))
  const redis = contender.redis === undefined ? undefined : await stage.redis(contender.redis)
  const redisPort = redis && { REDIS_PORT: String(redis.port) }
  const environment = { ...stage.environment, DATABASE_URL: database.url, ...redisPort }
  const storedBefore = run.database === undefined ? [] : await countStored(database, contender)
  const server = startContestant({ file: contender.file, node: stage.nodes.server, environment })
  try {
    const { port = 0 } = await server.hear('listening')
    const mayRepeat = contender.counts.length === 0 || run.isAllDuplicates === true
    const load = { wrk: stage.wrk, port, file, mayRepeat }
    const warmUps = await warmUp(load, settings)
    await checkpoint(stage.postgres)

    const readTime = () => readProcessorTime([server.processId], stage.postgres.processId())
    const redisBefore = (await redis?.processorTime()) ?? 0
    const before = readTime()
    const report = await runLoad({ ...load, connections, seconds: settings.loadSeconds, skip: sentIn(warmUps) })
    const { node, postgres } = processorTimePer(report.requests, before, readTime())
    const redisTime = redis && { redis: ((await redis.processorTime()) - redisBefore) / report.requests }

    await server.stop()
    const stored = await countStored(database, contender)
    const added = stored.map((count, index) => count - (storedBefore[index] ?? 0))
    checkStored(run, added, [...warmUps, report])
    return {
      perSecond: report.perSecond,
      p50: report.p50Milliseconds,
      p99: report.p99Milliseconds,
      node,
      postgres,
      ...redisTime,
    }
  } finally {
    await server.stop()
    if (run.database === undefined) await database.drop()
  }
}

/** Code that has run a few hundred times is not yet compiled, so slow servers are given longer. */
async function warmUp(
  load: Omit<Load, 'connections' | 'seconds' | 'skip'>,
  { warmUpSeconds, warmUpRequests }: Settings,
): Promise<readonly LoadReport[]> {
  const reports: LoadReport[] = []
  while (reports.length < 4 && sentIn(reports) < warmUpRequests) {
    const skip = sentIn(reports)
    reports.push(await runLoad({ ...load, connections: warmUpConnections, seconds: warmUpSeconds, skip }))
  }
  return reports
}

function sentIn(reports: readonly LoadReport[]): number {
  return reports.reduce((total, { sent }) => total + sent, 0)
}

export async function countStored(database: BenchDatabase, { counts }: ServerContender): Promise<readonly number[]> {
  const stored: number[] = []
  for (const count of counts) stored.push(await database.number(count))
  return stored
}

/** Requests that were under way when the load ended may be stored or not; all others must be, each event once. */
export function checkStored(
  { contender, connections, file, isAllDuplicates = false }: Omit<ServerRun, 'database'>,
  added: readonly number[],
  reports: readonly LoadReport[],
): void {
  const most = isAllDuplicates ? 0 : file.distinctAmong(sentIn(reports))
  const least = Math.max(0, most - (connections + 1) - (reports.length - 1) * (warmUpConnections + 1))
  const isWrong = added.some((count) => count < least || count > most)
  if (isWrong) throw new Error(`${contender.title} stored ${added.join(', ')} events instead of ${least} to ${most}.`)
}
