import { Pool } from 'pg'
import { type Clock, systemClock } from '../../src/clock.ts'
import type { TestDatabase } from './database.ts'

/** A database and a process whose clocks are moved by hand, together. */
export type MovingTime = {
  /** Every statement of a store on this pool goes by the moved clock, down to the defaults of its columns. */
  readonly pool: Pool
  readonly clock: Clock
  readonly pass: (days: number) => Promise<void>
  /** The day it is, as in `2026-01-31`. */
  readonly today: () => string
}

/**
 * PostgreSQL has no clock that could be set, so its functions for the time are replaced by one of ours in all that is sent to it. That
 * begins with the tables, so the schema has to be empty.
 */
export async function createMovingTime({ url, schema, query }: TestDatabase): Promise<MovingTime> {
  let shiftMilliseconds = 0
  await query(`create table "${schema}".moved_time as select interval '0' as shift`)
  await query(
    `create function "${schema}".moved_now() returns timestamptz language sql volatile
     as $$ select pg_catalog.clock_timestamp() + (select shift from "${schema}".moved_time) $$`,
  )
  // A year of commits need not wait for the disk: nothing is killed here.
  const pool = new Pool({ connectionString: url, max: 4, options: '-c synchronous_commit=off' })
  pool.on('connect', (client) => {
    const send = client.query.bind(client) as (...given: readonly unknown[]) => unknown
    const moved = (first: unknown, ...rest: readonly unknown[]): unknown =>
      send(typeof first === 'string' ? withMovedTime(first, schema) : first, ...rest)
    client.query = moved as typeof client.query
  })
  const now = (): Date => new Date(Date.now() + shiftMilliseconds)
  return {
    pool,
    // What rests for a moment, so that others can work, need not do so here.
    clock: {
      now,
      wait: (milliseconds, signal) => (milliseconds < 100 ? Promise.resolve() : systemClock.wait(milliseconds, signal)),
    },
    today: () => now().toISOString().slice(0, 10),
    async pass(days) {
      shiftMilliseconds += days * 86_400_000
      await query(`update "${schema}".moved_time set shift = make_interval(secs => $1::float8)`, [
        shiftMilliseconds / 1000,
      ])
    },
  }
}

function withMovedTime(text: string, schema: string): string {
  return text.replaceAll(/\b(?:pg_catalog\.)?(?:clock_timestamp|now)\(\)/g, `"${schema}".moved_now()`)
}
