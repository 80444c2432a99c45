import { OncehookError } from '../../../errors.ts'
import type { SqlClient } from '../sql-client.ts'
import { storeUnavailable } from '../sql-errors.ts'
import type { LibraryLimits } from './library-store.ts'
import { createPgLibraryClient } from './pg-library-client.ts'
import type { PgClient, PgPool } from './pg-types.ts'

/** The part of a TypeORM DataSource that is needed here, so that the package stays out of our dependencies. */
export type TypeormDataSource<Manager> = {
  readonly manager: Manager
  createQueryRunner(): {
    startTransaction(isolationLevel: 'READ COMMITTED'): Promise<void>
    commitTransaction(): Promise<void>
    rollbackTransaction(): Promise<void>
    release(): Promise<void>
  }
}

/** What is there at run time besides. A runner that has a connection uses it, and leaves it to whoever gave it. */
type QueryRunner<Manager> = ReturnType<TypeormDataSource<Manager>['createQueryRunner']> & {
  readonly manager: Manager
  databaseConnection: PgClient
  transactionDepth: number
}

type DataSourceParts = {
  readonly options?: { readonly poolSize?: number; readonly extra?: { readonly max?: number } }
  readonly driver?: { readonly master?: PgPool }
}

/** PostgreSQL by way of TypeORM: its own query runner, on a connection that we have taken out of its pool. */
export function createTypeormClient<Manager>(
  dataSource: TypeormDataSource<Manager>,
  limits: LibraryLimits,
): SqlClient<Manager> {
  const { options } = dataSource as DataSourceParts
  return createPgLibraryClient<Manager>(
    {
      pool: () => poolOf(dataSource),
      poolSize: options?.poolSize ?? options?.extra?.max ?? 10,
      listen: 'pool',
      transaction: (client, work) => runTransaction(dataSource, client, work),
      refused: ['release'],
    },
    limits,
  )
}

function poolOf<Manager>(dataSource: TypeormDataSource<Manager>): PgPool {
  const pool = (dataSource as DataSourceParts).driver?.master
  if (pool === undefined)
    throw storeUnavailable('the DataSource has no connection to PostgreSQL; call its initialize() first')
  return pool
}

async function runTransaction<Manager>(
  dataSource: TypeormDataSource<Manager>,
  client: PgClient,
  work: (manager: Manager) => Promise<void>,
): Promise<void> {
  const runner = dataSource.createQueryRunner() as QueryRunner<Manager>
  runner.databaseConnection = client
  try {
    await runner.startTransaction('READ COMMITTED')
    try {
      await work(runner.manager)
      if (runner.transactionDepth !== 1) throw leftNested()
      await runner.commitTransaction()
    } catch (error) {
      // Of a nested transaction that was left open nothing is asked any more.
      runner.transactionDepth = 1
      await runner.rollbackTransaction()
      throw error
    }
  } finally {
    await runner.release()
  }
}

function leftNested(): OncehookError {
  return new OncehookError(
    'ONCEHOOK_HANDLER_LEFT_STATEMENTS',
    'A handler began or ended a nested transaction with its query runner and left it so, so everything was rolled back. ' +
      'Use manager.transaction() for a part that may fail.',
  )
}
