import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ContestantOptions, startContestant } from './child.ts'
import { type BenchDatabase, checkpoint, createDatabase } from './databases.ts'
import { processorTimePer, readProcessorTime } from './processor-time.ts'
import type { Settings } from './settings.ts'
import type { Stage } from './stage.ts'
import { eventBody } from './stripe-events.ts'
import type { WorkerContender } from './workers.ts'

/** Serial numbers of queued events: apart from those in ledgers and those that are sent. */
let nextSerial = 300_000_000

/** Fills a queue, then works it off in a new process, and looks whether every event took effect once. */
export async function measureWorker(
  stage: Stage,
  settings: Settings,
  { contender, database: given }: { readonly contender: WorkerContender; readonly database?: BenchDatabase },
): Promise<Readonly<Record<string, number>>> {
  const { count, warmUp } = sizesOf(contender, settings)
  const database = given ?? (await createDatabase(stage.postgres))
  const redis = contender.redis === undefined ? undefined : await stage.redis(contender.redis)
  const options = workerProcess(stage, contender, database, redis?.port)
  try {
    await startContestant({ ...options, parameters: ['fill', await writeEvents(stage, count)] }).ended()
    await checkpoint(stage.postgres)

    const worker = startContestant({ ...options, parameters: ['work', String(count), String(warmUp)] })
    try {
      const readTime = () => readProcessorTime([worker.processId], stage.postgres.processId())
      await worker.hear('warm')
      const before = readTime()
      const redisBefore = (await redis?.processorTime()) ?? 0
      const { events = 0, milliseconds = 0 } = await worker.hear('done')
      const { node, postgres } = processorTimePer(events, before, readTime())
      const redisTime = redis === undefined ? {} : { redis: ((await redis.processorTime()) - redisBefore) / events }
      await checkEffects(database, contender, count)
      return { perSecond: events / (milliseconds / 1000), node, postgres, ...redisTime }
    } finally {
      await worker.stop()
    }
  } finally {
    if (given === undefined) await database.drop()
  }
}

/** How its process is started, for whatever task. */
export function workerProcess(
  stage: Stage,
  { file, settings }: WorkerContender,
  database: BenchDatabase,
  redisPort = 0,
): ContestantOptions {
  return {
    file,
    node: stage.nodes.worker,
    environment: {
      ...stage.environment,
      DATABASE_URL: database.url,
      SETTINGS: JSON.stringify(settings),
      REDIS_PORT: String(redisPort),
    },
  }
}

/** One that takes an event every two seconds is given two. */
function sizesOf(
  { eventsFactor = 1 }: WorkerContender,
  { workerEvents, workerWarmUp }: Settings,
): { readonly count: number; readonly warmUp: number } {
  if (eventsFactor === 0) return { count: 2, warmUp: 1 }
  const warmUp = workerWarmUp * eventsFactor
  return { count: warmUp + workerEvents * eventsFactor, warmUp }
}

/** One event in each line. */
async function writeEvents(stage: Stage, count: number): Promise<string> {
  const path = join(stage.folder, 'events.jsonl')
  const bodies = Array.from({ length: count }, (_, index) => `${eventBody(nextSerial + index)}\n`)
  nextSerial += count
  await writeFile(path, bodies.join(''))
  return path
}

/** The table has no key, so an event that took effect twice has two rows. */
async function checkEffects(database: BenchDatabase, { title }: WorkerContender, count: number): Promise<void> {
  // Those that commit after the handler may still be at it.
  const giveUpAt = performance.now() + 10_000
  while ((await database.number('select count(*) from effects')) < count && performance.now() < giveUpAt) {
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const effects = await database.number('select count(*) from effects')
  const events = await database.number('select count(distinct event_id) from effects')
  if (effects !== count || events !== count) {
    throw new Error(`${title}: ${count} events had ${effects} effects for ${events} of them.`)
  }
  await database.query('truncate effects')
}
