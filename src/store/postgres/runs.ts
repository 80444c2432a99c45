import type { HandlerRun } from '../store.ts'
import { binaryArray } from './binary-arrays.ts'

/** First runs that failed. Spelt as the index that holds only these, so that it is used. */
export const failedFirstSql = "attempt = 1 and outcome in ('failed', 'abandoned')"

/** Rows of the attempt log for the arrays that `runValues` makes, which stand at `$first` and the next five. */
const runsSql = (first: number): string => `
  unnest($${first}::int[], $${first + 1}::text[], $${first + 2}::text[], $${first + 3}::text[], $${first + 4}::text[],
    $${first + 5}::float8[]) as run (attempt, handler, worker, outcome, error, took_ms)`

/** Appends runs to the log, for every key that `keys` (a CTE with the columns of a key) holds. */
export const logRunsSql = (schema: string, keys: string, first: number): string => `
  insert into ${schema}.attempts
    (environment, source, event_id, attempt, handler, worker, outcome, error, started_at, ended_at)
  select key.environment, key.source, key.event_id, run.attempt, run.handler, run.worker, run.outcome, run.error,
    clock_timestamp() - make_interval(secs => run.took_ms / 1000), clock_timestamp()
  from ${keys} as key cross join ${runsSql(first)}`

export function runValues(runs: readonly HandlerRun[]): readonly (readonly (string | number | null)[])[] {
  return [
    runs.map(({ attempt }) => attempt),
    runs.map(({ handler }) => handler),
    runs.map(({ worker }) => worker),
    runs.map(({ outcome }) => outcome),
    runs.map(({ error }) => error ?? null),
    runs.map(({ tookMilliseconds }) => tookMilliseconds),
  ]
}

/** The same as they are sent with a call. */
export function encodedRuns(runs: readonly HandlerRun[]): readonly Buffer[] {
  return [
    binaryArray(
      'int4',
      runs.map(({ attempt }) => attempt),
    ),
    binaryArray(
      'text',
      runs.map(({ handler }) => handler),
    ),
    binaryArray(
      'text',
      runs.map(({ worker }) => worker),
    ),
    binaryArray(
      'text',
      runs.map(({ outcome }) => outcome),
    ),
    binaryArray(
      'text',
      runs.map(({ error }) => error ?? null),
    ),
    binaryArray(
      'float8',
      runs.map(({ tookMilliseconds }) => tookMilliseconds),
    ),
  ]
}
