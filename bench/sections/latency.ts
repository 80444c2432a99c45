import { Client } from 'pg'
import { startContestant } from '../child.ts'
import { createDatabase } from '../databases.ts'
import { workerProcess } from '../measure-worker.ts'
import { percentile } from '../measurements.ts'
import { interleave, requestMetrics, type Section, type SectionContext } from '../section.ts'
import { sendEvent } from '../send-event.ts'
import { bareDoor, oncehookQueued, plainInsert } from '../servers.ts'
import { oncehookOwn } from '../workers.ts'
import { serveContenders } from './serve-contenders.ts'

const togetherKey = 'together'
const apartKey = 'apart'

/** How long one delivery takes when nothing else is going on. */
export const latency: Section = {
  name: 'latency',
  title: 'Latency: one delivery at a time',
  metrics: requestMetrics,
  contenders: [
    plainInsert,
    bareDoor,
    oncehookQueued,
    { key: togetherKey, title: 'Oncehook, door and worker in one process' },
    { key: apartKey, title: 'Oncehook, door and worker in two processes' },
  ],
  baseline: plainInsert.key,
  async run(context) {
    await measureAccepting(context)
    await measureEffects(context)
  },
}

const measureAccepting = serveContenders(
  [plainInsert, bareDoor, oncehookQueued],
  () => [1],
  () => 'request to answer, 1 connection',
)

async function measureEffects({ stage, settings, say, record }: SectionContext): Promise<void> {
  await interleave(settings, [togetherKey, apartKey], async (key, round) => {
    say(`to the effect, ${key}, round ${round}`)
    const database = await createDatabase(stage.postgres)
    const environment = { ...stage.environment, DATABASE_URL: database.url }
    const isApart = key === apartKey
    const server = startContestant({
      file: isApart ? oncehookQueued.file : 'contenders/oncehook-whole.mjs',
      node: stage.nodes.server,
      environment,
    })
    const { port = 0 } = await server.hear('listening')
    const worker = isApart
      ? startContestant({ ...workerProcess(stage, oncehookOwn, database), parameters: ['idle'] })
      : undefined
    try {
      await worker?.hear('idle')
      const milliseconds = await timeEffects({
        url: database.url,
        port,
        events: settings.singleEvents,
        warmUpEvents: settings.singleWarmUp,
      })
      const values = { p50: percentile(milliseconds, 50), p99: percentile(milliseconds, 99) }
      record({ scene: 'request to committed effect, idle', contender: key, round, values })
    } finally {
      await server.stop()
      await worker?.stop()
      await database.drop()
    }
  })
}

/** Effects announce themselves, which PostgreSQL does after the commit. */
const announceSql = `
  create function announce_effect() returns trigger language plpgsql as $$
  begin
    perform pg_notify('effects', new.event_id);
    return new;
  end $$;
  create trigger announce_effect after insert on effects for each row execute function announce_effect()`

type Timing = {
  readonly url: string
  readonly port: number
  readonly events: number
  /** Sent before, one after another without a pause. */
  readonly warmUpEvents: number
}

/** From the request to the news of the effect, each event only after the one before is done and everything is quiet. */
async function timeEffects({ url, port, events, warmUpEvents }: Timing): Promise<readonly number[]> {
  const listener = new Client({ connectionString: url })
  await listener.connect()
  try {
    await listener.query(announceSql)
    await listener.query('listen effects')
    const taken: number[] = []
    for (let serial = 0; serial < warmUpEvents + events; serial += 1) {
      const heard = new Promise((resolve) => listener.once('notification', resolve))
      const startedAt = performance.now()
      const { status } = await sendEvent({ port, serial })
      if (status !== 202) throw new Error(`The event was answered with ${status}.`)
      await heard
      taken.push(performance.now() - startedAt)
      if (serial >= warmUpEvents) await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return taken.slice(warmUpEvents)
  } finally {
    await listener.end()
  }
}
