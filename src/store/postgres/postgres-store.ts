import { invalidOptions } from '../../errors.ts'
import type { Store } from '../store.ts'
import { createPgClient } from './clients/pg-client.ts'
import { ownPool } from './clients/pg-pool.ts'
import type { PgPool, PgTransaction } from './clients/pg-types.ts'
import { createSqlStore } from './create-sql-store.ts'
import type { TransactionGuard } from './guarded-transaction.ts'

export type { PgPool, PgTransaction } from './clients/pg-types.ts'

/** What a store on PostgreSQL can be told. */
export type PostgresStoreOptions = {
  /** Where the tables are. Default `oncehook`. */
  readonly schema?: string
  /** How long to wait for a connection. Default 5. */
  readonly connectionTimeoutSeconds?: number
  /** How long to wait for an answer to one of the store's own statements. Default 30. */
  readonly statementTimeoutSeconds?: number
  /** The size of the pool that is made for a connection string. Default 10. */
  readonly maximumConnections?: number
}

const defaultPoolSize = 10

/**
 * Receipts in a PostgreSQL, by way of `pg`: with a Pool of yours, which stays yours, or with a connection string.
 *
 *     const store = postgresStore(new Pool({ connectionString }))
 */
export function postgresStore(
  poolOrUrl: PgPool | string | undefined,
  options: PostgresStoreOptions = {},
): Store<PgTransaction> {
  const { connectionTimeoutSeconds = 5, statementTimeoutSeconds = 30, maximumConnections = defaultPoolSize } = options
  const limits = { connectionTimeoutSeconds, statementTimeoutSeconds }
  checkPool(poolOrUrl, { ...limits, maximumConnections })
  const { poolSize, ...source } =
    typeof poolOrUrl === 'string'
      ? { poolSize: maximumConnections, ...ownPool({ url: poolOrUrl, maximumConnections, ...limits }) }
      : { poolSize: poolOrUrl.options?.max ?? defaultPoolSize, ...givenPool(poolOrUrl) }
  return createSqlStore({
    client: createPgClient({ ...source, ...limits, poolSize }),
    name: 'postgres',
    defaultMode: 'inline',
    guard: pgGuard,
    ...(options.schema !== undefined && { schema: options.schema }),
  })
}

function givenPool(pool: PgPool): { readonly pool: () => Promise<PgPool>; readonly close: () => Promise<void> } {
  // An idle connection that is terminated is replaced; without a listener it would end the process.
  pool.on('error', () => {})
  return { pool: async () => pool, close: async () => {} }
}

/** A client of `pg` takes a text, or an object that has one. */
const pgGuard: TransactionGuard = {
  statements: {
    query: ([first]) => {
      if (typeof first === 'string') return first
      if (typeof first !== 'object' || first === null || !('text' in first)) return undefined
      return typeof first.text === 'string' ? first.text : undefined
    },
  },
  refused: ['release', 'end', 'connect'],
}

/** What comes straight from the environment may not be there. */
function checkPool(
  poolOrUrl: PgPool | string | undefined,
  numbers: Readonly<Record<string, number>>,
): asserts poolOrUrl is PgPool | string {
  const isPool = typeof poolOrUrl === 'object' && poolOrUrl !== null && 'connect' in poolOrUrl && 'end' in poolOrUrl
  const isUrl = typeof poolOrUrl === 'string' && poolOrUrl !== ''
  const mistakes = [
    ...(isPool || isUrl
      ? []
      : ['the first argument is neither a Pool of "pg" nor a connection string. Is the environment variable set?']),
    ...Object.entries(numbers)
      .filter(([, value]) => !(Number.isFinite(value) && value > 0))
      .map(([name, value]) => `${name} is ${value}; it must be a number above 0.`),
  ]
  if (mistakes.length > 0) throw invalidOptions('postgresStore', mistakes)
}
