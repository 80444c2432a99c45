import type { SqlClient, SqlQuery } from '../sql-client.ts'
import { createLibraryClient } from './library-client.ts'
import type { LibraryLimits } from './library-store.ts'
import { plainValues } from './plain-values.ts'
import { explainOwnError, translatePrismaError } from './prisma-errors.ts'
import { leashPrisma } from './prisma-leash.ts'

/** The part of a PrismaClient that is needed here, so that the package stays out of our dependencies. */
export type PrismaDatabase<Transaction> = {
  $transaction(work: (transaction: Transaction) => Promise<void>, options: PrismaTransactionOptions): Promise<void>
}

/** What Prisma is told of a transaction. */
export type PrismaTransactionOptions = {
  readonly isolationLevel: 'ReadCommitted'
  readonly maxWait: number
  readonly timeout: number
}

type PrismaQueryable = { $queryRawUnsafe(text: string, ...values: unknown[]): Promise<readonly unknown[]> }

/** Prisma ends a transaction after five seconds by itself; handlers have a limit of their own, and may be given a longer one. */
const longestTransactionMilliseconds = 24 * 60 * 60 * 1000

/** Prisma does not tell how large the pool of its adapter is; ten is what `pg` makes. */
const transactionSlots = 8

/** PostgreSQL by way of Prisma. */
export function createPrismaClient<Tx>(database: PrismaDatabase<Tx>, limits: LibraryLimits): SqlClient<Tx> {
  return createLibraryClient<Tx>(
    {
      query: queryOn(database),
      transaction: (leash, work) =>
        database.$transaction((raw) => work({ raw: leashPrisma(raw, leash), query: queryOn(raw) }), {
          isolationLevel: 'ReadCommitted',
          maxWait: limits.connectionTimeoutSeconds * 1000,
          timeout: longestTransactionMilliseconds,
        }),
      translate: translatePrismaError,
      refused: [],
      mayEndWhenIdle: true,
      listen: 'poll',
      transactionSlots,
    },
    limits,
  )
}

function queryOn(holder: unknown): SqlQuery {
  return async <Row>(text: string, values: readonly unknown[] = []) => {
    try {
      return (await (holder as PrismaQueryable).$queryRawUnsafe(text, ...plainValues(values))) as Row[]
    } catch (error) {
      throw explainOwnError(error)
    }
  }
}
