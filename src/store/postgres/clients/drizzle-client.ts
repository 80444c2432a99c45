import type { SqlClient } from '../sql-client.ts'
import { createLibraryClient } from './library-client.ts'
import type { LibraryLimits } from './library-store.ts'
import { createPgLibraryClient } from './pg-library-client.ts'
import type { PgPool } from './pg-types.ts'
import { listenOnPostgresJs, type PostgresJs, postgresJsSlots, rowsOf } from './postgres-js-client.ts'
import { leashSql, type PostgresJsTransaction } from './postgres-js-leash.ts'

/** The part of a Drizzle database that is needed here, so that the package stays out of our dependencies. */
export type DrizzleDatabase<Transaction> = {
  transaction(
    work: (transaction: Transaction) => Promise<void>,
    config?: { readonly isolationLevel: 'read committed' },
  ): Promise<void>
}

/** What is there at run time besides: the driver's client, and the session that sends statements through it. */
type DrizzleParts = { readonly $client?: unknown; readonly session?: { readonly client: unknown } }

type DrizzleSession<Tx> = DrizzleDatabase<Tx> & { client: unknown }

/** How Drizzle reaches its database; undefined if it is a driver that is not known here. */
export type DrizzleDriver =
  | { readonly kind: 'pg'; readonly pool: PgPool }
  | { readonly kind: 'postgres-js'; readonly sql: PostgresJs<unknown> }

export function driverOf(database: unknown): DrizzleDriver | undefined {
  const { $client: client, session } = (database ?? {}) as DrizzleParts
  if (session === undefined || client === undefined || client === null) return undefined
  if (typeof client === 'function' && 'begin' in client && 'unsafe' in client) {
    return { kind: 'postgres-js', sql: client as unknown as PostgresJs<unknown> }
  }
  const isPool = typeof client === 'object' && 'connect' in client && 'totalCount' in client
  return isPool ? { kind: 'pg', pool: client as unknown as PgPool } : undefined
}

/** PostgreSQL by way of Drizzle over node-postgres: its own transaction, in a session that is bound to our connection. */
export function createDrizzlePgClient<Tx>(
  database: DrizzleDatabase<Tx>,
  pool: PgPool,
  limits: LibraryLimits,
): SqlClient<Tx> {
  const { session } = database as DrizzleParts
  // An idle connection that is terminated is replaced; without a listener it would end the process.
  pool.on('error', () => {})
  return createPgLibraryClient<Tx>(
    {
      pool: () => pool,
      poolSize: pool.options?.max ?? 10,
      listen: 'pool',
      transaction: (client, work) => {
        const bound = Object.create(session ?? null, { client: { value: client } }) as DrizzleSession<Tx>
        return bound.transaction(work, { isolationLevel: 'read committed' })
      },
      refused: [],
    },
    limits,
  )
}

/** PostgreSQL by way of Drizzle over postgres.js. Each of its transactions has a session of its own. */
export function createDrizzlePostgresJsClient<Tx>(
  database: DrizzleDatabase<Tx>,
  sql: PostgresJs<unknown>,
  limits: LibraryLimits,
): SqlClient<Tx> {
  return createLibraryClient<Tx>(
    {
      query: (text, values) => rowsOf(sql, text, values),
      transaction: (leash, work) =>
        database.transaction(
          (raw) => {
            const { session } = raw as { readonly session: { client: PostgresJsTransaction } }
            const own = session.client
            session.client = leashSql(own, leash)
            return leash.untilOver(work({ raw, query: (text, values) => rowsOf(own, text, values) }))
          },
          { isolationLevel: 'read committed' },
        ),
      refused: [],
      mayEndWhenIdle: true,
      listen: (channel, onNotify) => listenOnPostgresJs(sql, channel, onNotify),
      transactionSlots: postgresJsSlots(sql),
    },
    limits,
  )
}
