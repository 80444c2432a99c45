import { type Clock, systemClock } from '../../clock.ts'
import type { Store, StoreTransaction } from '../store.ts'
import { claim, millisecondsUntilDue } from './claim.ts'
import { completeHandler, completeInline, completeReceipt } from './complete.ts'
import { completeReceipts } from './complete-many.ts'
import type { Database } from './database.ts'
import { durability } from './durability.ts'
import { effectTransaction } from './effects.ts'
import { readReceipt } from './event-row.ts'
import { counts, findReceipts } from './find.ts'
import type { TransactionGuard } from './guarded-transaction.ts'
import { enteringStatements, type FrameOptions, ownFrame, runHandler, sharedFrame } from './handler-transaction.ts'
import { handBack, renewLeases } from './leases.ts'
import { migrate, migrationSql } from './migrate.ts'
import { noteDeliveries, noteRun } from './notes.ts'
import { outboxStore } from './outbox.ts'
import { recordReceipts } from './record-receipts.ts'
import { replay } from './replay.ts'
import { deadLetter, retryLater } from './retry.ts'
import { lockNumber, quotedSchema, wakeChannel } from './schema-name.ts'
import type { SqlClient, SqlConnection, SqlQuery } from './sql-client.ts'
import { explainMissingTables, isConflict, storeUnavailable } from './sql-errors.ts'
import { timeline } from './timeline.ts'
import { listen, wakeOthers } from './wake.ts'

export type SqlStoreOptions<Tx> = {
  readonly client: SqlClient<Tx>
  /** Where the tables are. Default `oncehook`. */
  readonly schema?: string
  readonly name: string
  readonly defaultMode: 'inline' | 'queued'
  /** What to watch on the transaction object that handlers get. */
  readonly guard: TransactionGuard
  readonly clock?: Clock
}

/** A store in PostgreSQL, whichever library leads there. */
export function createSqlStore<Tx>(options: SqlStoreOptions<Tx>): Store<Tx> {
  const { client, schema: schemaName = 'oncehook', name, defaultMode, guard, clock = systemClock } = options
  const schema = quotedSchema(schemaName)
  const query = explained(patient(client.query), schema)
  const { mayEndWhenIdle } = client
  const shared = {
    schema,
    takesBinary: client.takesBinary,
    wakeChannel: client.listen === 'alone' ? undefined : wakeChannel(schemaName),
  }
  const database: Database = { query, ...shared }

  return {
    name,
    defaultMode,
    transactionSlots: client.transactionSlots,
    migrate: () => migrate(client, schema),
    migrationSql: () => migrationSql(schema),
    recordReceipts: (receipts) => recordReceipts(database, receipts),
    transaction: (work, { handlerSeconds } = {}) =>
      client.transaction(
        async (connection) => {
          const frame = { mayEndWhenIdle, enteredSeconds: handlerSeconds }
          const { transaction, failure } = storeTransaction({ connection, guard, shared, frame })
          const result = await work(transaction)
          // A caller that went on after its handler failed must not commit what the handler did.
          if (failure() !== undefined) throw failure()
          return result
        },
        handlerSeconds === undefined ? [] : enteringStatements(handlerSeconds, mayEndWhenIdle),
      ),
    claim: (request) => claim(database, request),
    renewLeases: (leases, leaseSeconds) => renewLeases(database, leases, leaseSeconds),
    retryLater: (lease, later) => retryLater(database, lease, later),
    deadLetter: (lease, reason) => deadLetter(database, lease, reason),
    handBack: (leases, delaySeconds) => handBack(database, leases, delaySeconds),
    millisecondsUntilDue: (scope) => millisecondsUntilDue(database, scope),
    noteRun: (key, run) => noteRun(database, key, run),
    noteDeliveries: (deliveries) => noteDeliveries(database, deliveries),
    findReceipts: (environment, filter) => findReceipts(database, environment, filter),
    timeline: (environment, receiptId) => timeline(database, environment, receiptId),
    readReceipt: (environment, receiptId) => readReceipt(database, environment, receiptId),
    readBody: async (environment, receiptId) => (await readReceipt(database, environment, receiptId))?.body,
    replay: (environment, filter, note) => replay(database, environment, { filter, note }),
    counts: (environment) => counts(database, environment),
    outbox: outboxStore(database),
    wakeOthers: () => wakeOthers(query, schemaName),
    listen: (onWake) => listen(client, { schema: schemaName, clock, onWake }),
    durability: () => durability(query, clock),
    close: client.close,
  }
}

type OpenTransaction<Tx> = { readonly transaction: StoreTransaction<Tx>; readonly failure: () => unknown }

function storeTransaction<Tx>(options: {
  readonly connection: SqlConnection<Tx>
  readonly guard: TransactionGuard
  readonly shared: Omit<Database, 'query'>
  readonly frame: FrameOptions
}): OpenTransaction<Tx> {
  const { connection, guard, frame } = options
  const database: Database = { ...options.shared, query: explained(connection.query, options.shared.schema) }
  let failure: unknown
  const own = ownFrame(connection, frame)
  const shared = sharedFrame(connection, frame)
  return {
    failure: () => failure,
    transaction: {
      tryLockEvent: ({ environment, source, eventId }) => tryLock(database, [environment, source, eventId]),
      recordReceipt: async (receipt) => {
        const [recorded] = await recordReceipts(database, [receipt])
        if (recorded === undefined) throw storeUnavailable('the database did not answer for a receipt')
        return recorded
      },
      runHandler: async (run, limits) => {
        try {
          return await runHandler(connection, guard, { run, limits, frame: own })
        } catch (error) {
          failure ??= error ?? new TypeError('The handler threw undefined.')
          throw error
        }
      },
      runShared: async (run, limits) => {
        try {
          return await runHandler(connection, guard, { run, limits, frame: shared })
        } catch (error) {
          // What cannot be undone alone fails all that share the transaction.
          await shared.undo().catch((lost: unknown) => {
            failure ??= lost
          })
          throw error
        }
      },
      completeReceipts: async (completed) => {
        await shared.end()
        return completeReceipts(database, completed)
      },
      effects: effectTransaction(database),
      completeHandler: (lease, run, ending = 'processed') => completeHandler(database, lease, { run, ending }),
      completeReceipt: (lease, run, ending = 'processed') => completeReceipt(database, lease, { run, ending }),
      completeInline: (key, runs, next, endings = []) => completeInline(database, key, { runs, next, endings }),
    },
  }
}

/** Let go by the database itself when the transaction ends, however it ends. */
async function tryLock({ query, schema }: Database, key: readonly string[]): Promise<boolean> {
  const number = lockNumber(['oncehook event', schema, ...key])
  const rows = await query<{ readonly isLocked: boolean }>(
    'select pg_try_advisory_xact_lock($1::bigint) as "isLocked"',
    [number],
  )
  return rows[0]?.isLocked === true
}

/** Our own statements only: a table that a handler misses is the user's. */
function explained(query: SqlQuery, schema: string): SqlQuery {
  return async (text, values) => {
    try {
      return await query(text, values)
    } catch (error) {
      throw explainMissingTables(error, schema)
    }
  }
}

const attemptsAtConflict = 3

/** A single statement that lost against another is undone as a whole, so it can simply be sent again. */
function patient(query: SqlQuery): SqlQuery {
  return async (text, values) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await query(text, values)
      } catch (error) {
        if (!isConflict(error) || attempt === attemptsAtConflict) throw error
      }
    }
  }
}
