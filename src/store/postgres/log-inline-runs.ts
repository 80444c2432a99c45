import type { CompletedInline } from '../store.ts'
import { binaryArray } from './binary-arrays.ts'
import type { Database } from './database.ts'
import { encodedRuns, runValues } from './runs.ts'
import { madeOnce } from './schema-name.ts'
import type { SqlCall } from './sql-client.ts'

/** Rounds the time at which a receipt was processed: it is that of its writing if its handler ends this soon after. */
const soonMilliseconds = 50

/** When the receipts of a transaction were written, and whether that is all there is to say about those that its handlers are done with. */
export type Recording = {
  readonly happened: () => void
  readonly saysAll: (completed: readonly CompletedInline[]) => boolean
}

export function createRecording(now: () => number = () => performance.now()): Recording {
  let happenedAt = Number.NEGATIVE_INFINITY
  return {
    happened: () => void (happenedAt = now()),
    saysAll: (completed) =>
      now() - happenedAt <= soonMilliseconds &&
      completed.every(({ run, ending }) => ending === 'processed' && run.outcome === 'succeeded' && run.attempt === 1),
  }
}

const columnsSql = 'environment, source, event_id, attempt, handler, worker, outcome, error, started_at, ended_at'
const timesSql = (milliseconds: string): string =>
  `clock_timestamp() - make_interval(secs => ${milliseconds} / 1000), clock_timestamp()`

const logOneSql = madeOnce(
  (schema) => `
  insert into ${schema}.attempts (${columnsSql})
  values ($1::text, $2::text, $3::text, $4::int, $5::text, $6::text, $7::text, $8::text, ${timesSql('$9::float8')})`,
)

const logManySql = madeOnce(
  (schema) => `
  insert into ${schema}.attempts (${columnsSql})
  select environment, source, event_id, attempt, handler, worker, outcome, error, ${timesSql('took_ms')}
  from unnest(
    $1::text[], $2::text[], $3::text[], $4::int[], $5::text[], $6::text[], $7::text[], $8::text[], $9::float8[]
  ) as run (environment, source, event_id, attempt, handler, worker, outcome, error, took_ms)`,
)

/** The attempts at receipts that were recorded as processed. */
export async function logInlineRuns({ query, schema }: Database, completed: readonly CompletedInline[]): Promise<void> {
  if (completed.length === 0) return
  const { environments, sources, eventIds, runs } = columnsOf(completed)
  await query(logManySql(schema), [environments, sources, eventIds, ...runValues(runs)])
}

/** The same for the end of the transaction. */
export function logInlineRunsCall(schema: string, completed: readonly CompletedInline[]): SqlCall {
  const [only] = completed
  if (only !== undefined && completed.length === 1) {
    const { environment, source, eventId } = only.key
    const { attempt, handler, worker, outcome, error = null, tookMilliseconds } = only.run
    const run = [String(attempt), handler, worker, outcome, error, String(tookMilliseconds)]
    return { text: logOneSql(schema), values: [environment, source, eventId, ...run] }
  }
  const { environments, sources, eventIds, runs } = columnsOf(completed)
  const keys = [environments, sources, eventIds].map((column) => binaryArray('text', column))
  return { text: logManySql(schema), values: [...keys, ...encodedRuns(runs)] }
}

function columnsOf(completed: readonly CompletedInline[]): {
  readonly environments: readonly string[]
  readonly sources: readonly string[]
  readonly eventIds: readonly string[]
  readonly runs: readonly CompletedInline['run'][]
} {
  return {
    environments: completed.map(({ key }) => key.environment),
    sources: completed.map(({ key }) => key.source),
    eventIds: completed.map(({ key }) => key.eventId),
    runs: completed.map(({ run }) => run),
  }
}
