import type { ConnectionFacts } from '../../inspection.ts'
import type { Database } from '../database.ts'

/** PostgreSQL 16 has a second kind of connections that are kept back. A listener's last statement is the one that made it listen. */
const connectionsSql = `
  select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - coalesce(nullif(current_setting('reserved_connections', true), '')::int, 0) as maximum,
    (select sum(numbackends)::int from pg_stat_database) as used,
    (select count(pid)::int from pg_stat_activity
      where datname = current_database() and query like 'listen "' || $1::text || '"%') as listeners`

export async function connectionFacts({ query, wakeChannel }: Database): Promise<ConnectionFacts> {
  const [row] = await query<ConnectionFacts>(connectionsSql, [wakeChannel ?? ''])
  if (row === undefined) throw new TypeError('The database did not answer with its connections.')
  return row
}
