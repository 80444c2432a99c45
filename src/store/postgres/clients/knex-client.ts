import type { SqlClient } from '../sql-client.ts'
import type { LibraryLimits } from './library-store.ts'
import { createPgLibraryClient } from './pg-library-client.ts'
import type { PgClient, PgPool } from './pg-types.ts'

/** The part of a `knex` that is needed here, so that the package stays out of our dependencies. */
export type KnexDatabase<Transaction> = {
  transaction(work: (transaction: Transaction) => Promise<void>, config: KnexTransactionConfig): PromiseLike<void>
}

/** What Knex is told of a transaction. */
export type KnexTransactionConfig = {
  readonly isolationLevel: 'read committed'
  /** The transaction runs on this connection, and does not release it. */
  readonly connection: object
}

type KnexClient = {
  readonly dialect?: string
  readonly pool?: { readonly max?: number }
  acquireConnection(): Promise<RawConnection>
  releaseConnection(connection: RawConnection): Promise<void>
}

type RawConnection = PgClient & { end(): Promise<void> }

/** Whether this is a knex over `pg`. */
export function isKnexOverPg(value: unknown): boolean {
  return typeof value === 'function' && clientOf(value)?.dialect === 'postgresql'
}

function clientOf(database: unknown): KnexClient | undefined {
  return (database as { readonly client?: KnexClient }).client
}

/** PostgreSQL by way of Knex: its own transaction, on a connection that we have taken out of its pool. */
export function createKnexClient<Tx>(database: KnexDatabase<Tx>, limits: LibraryLimits): SqlClient<Tx> {
  return createPgLibraryClient<Tx>(
    {
      pool: () => poolOf(database),
      poolSize: clientOf(database)?.pool?.max ?? 10,
      listen: 'poll',
      transaction: async (connection, work) => {
        await database.transaction(work, { isolationLevel: 'read committed', connection })
      },
      refused: ['commit', 'rollback', 'destroy'],
    },
    limits,
  )
}

/** Knex has a pool of its own kind. */
function poolOf<Tx>(database: KnexDatabase<Tx>): PgPool {
  return {
    connect: async () => {
      const client = clientOf(database)
      if (client === undefined) throw new TypeError('This knex has no client.')
      return withRelease(await client.acquireConnection(), client)
    },
    on: () => {},
    end: async () => {},
  }
}

function withRelease(connection: RawConnection, client: KnexClient): PgClient {
  const release = (destroy?: boolean): void => {
    if (destroy === true) {
      // Knex looks at this mark before it hands a connection out again.
      Object.assign(connection, { __knex__disposed: new Error('The connection was destroyed.') })
      connection.end().catch(() => {})
    }
    client.releaseConnection(connection).catch(() => {})
  }
  return new Proxy(connection, {
    get(target, name) {
      if (name === 'release') return release
      const member: unknown = Reflect.get(target, name)
      return typeof member === 'function' && name !== 'constructor' ? member.bind(target) : member
    },
  })
}
