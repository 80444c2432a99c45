import type { ServerFacts } from '../../inspection.ts'
import { millisecondsSql } from '../database.ts'
import type { SqlClient, SqlQuery } from '../sql-client.ts'

const serverSql = `
  select current_setting('server_version') as version, current_user::text as role, pg_is_in_recovery() as "isStandby",
    current_setting('transaction_read_only') = 'on' as "isReadOnly",
    pg_has_role(current_user, 'pg_read_all_stats', 'usage') as "seesAllSessions",
    current_setting('autovacuum') = 'on' and current_setting('track_counts') = 'on' as "isAutovacuumOn",
    ${millisecondsSql('clock_timestamp()')} as now`

type ServerRow = Pick<
  ServerFacts,
  'version' | 'role' | 'isStandby' | 'isReadOnly' | 'seesAllSessions' | 'isAutovacuumOn'
> & { readonly now: number }

const looksAtTheClock = 3

/** Of several looks at the clock the quickest counts: the others waited for something. */
export async function serverFacts(query: SqlQuery, now: () => Date): Promise<Omit<ServerFacts, 'way' | 'wakeUps'>> {
  const looks = []
  for (let look = 0; look < looksAtTheClock; look += 1) {
    const askedAt = now().getTime()
    const [row] = await query<ServerRow>(serverSql)
    const answeredAt = now().getTime()
    if (row === undefined) throw new TypeError('The database did not answer with its settings.')
    const { now: databaseTime, ...facts } = row
    const roundTripSeconds = (answeredAt - askedAt) / 1000
    looks.push({ ...facts, roundTripSeconds, skewSeconds: (databaseTime - (askedAt + answeredAt) / 2) / 1000 })
  }
  const [quickest] = looks.toSorted((one, other) => one.roundTripSeconds - other.roundTripSeconds)
  if (quickest === undefined) throw new TypeError('The database did not answer with its settings.')
  return quickest
}

const processIdSql = 'select pg_backend_pid() as "processId"'

/**
 * At the start of a connection PostgreSQL says which of its processes serves it. Behind a pooler that number is the pooler's own, and the
 * process that answers is another one.
 */
export async function wayToServer<Tx>(client: SqlClient<Tx>): Promise<ServerFacts['way']> {
  if (client.listen === 'alone') return 'direct'
  return client.transaction(async (connection) => {
    const [row] = await connection.query<{ readonly processId: number }>(processIdSql)
    const announced = (connection.raw as { readonly processID?: unknown }).processID
    if (typeof announced !== 'number' || row === undefined) return 'unknown'
    return announced === row.processId ? 'direct' : 'pooled'
  })
}
