import { type Clock, systemClock } from '../../clock.ts'
import { leaseLost } from '../../errors.ts'
import type { RunLimits, Store, StoreTransaction } from '../store.ts'
import { adminLogStore } from './admin/admin-log.ts'
import { adminSessionStore } from './admin/admin-sessions.ts'
import { alertStore } from './alerts/alert-store.ts'
import { automationStore } from './automations/automation-store.ts'
import { captureStore } from './captures/capture-store.ts'
import { claim, millisecondsUntilDue } from './claim.ts'
import { createClosing } from './closing.ts'
import { completeHandler, completeInline, completeReceipt, finishInlineCall, finishReceiptCall } from './complete.ts'
import { completeInlines, completeReceipts, finishInlinesCall } from './complete-many.ts'
import type { Database } from './database.ts'
import { datastoreStore } from './datastore/datastore-store.ts'
import { durability } from './durability.ts'
import { effectTransaction } from './effects.ts'
import { readBody, readReceipt } from './event-row.ts'
import { counts, findReceipts } from './find.ts'
import { gauges } from './gauges.ts'
import type { TransactionGuard } from './guarded-transaction.ts'
import {
  enteringStatements,
  type Frame,
  type FrameOptions,
  jointFrame,
  ownFrame,
  runHandler,
  sharedFrame,
} from './handler-transaction.ts'
import { health } from './health/health.ts'
import { inspect } from './inspect/inspect.ts'
import { handBack, renewLeases } from './leases.ts'
import { readLedgerName } from './ledger-name.ts'
import { meterStore } from './meters.ts'
import { migrate, migrationSql } from './migrate.ts'
import { noteDeliveries, noteRun } from './notes.ts'
import { outboxStore } from './outbox.ts'
import { overviewStore } from './overview/overview-store.ts'
import { recordReceipts } from './record-receipts.ts'
import { recoveryStore } from './recovery.ts'
import { readRedactions } from './redactions.ts'
import { replay } from './replay.ts'
import { retentionStore } from './retention.ts'
import { deadLetter, retryLater } from './retry.ts'
import { retryPatterns } from './retry-patterns.ts'
import { quotedSchema, wakeChannel } from './schema-name.ts'
import { sealedStore } from './sealed-rows.ts'
import { shadowStore } from './shadow.ts'
import type { SendCall, SqlClient, SqlConnection, SqlQuery } from './sql-client.ts'
import { explainMissingTables, isConflict, sqlState, storeUnavailable } from './sql-errors.ts'
import { timeline } from './timeline.ts'
import { upkeepStore } from './upkeep.ts'
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
  const call = client.call && explained(patient(client.call), schema)
  const database: Database = { query, call, ...shared }

  return {
    name,
    defaultMode,
    transactionSlots: client.transactionSlots,
    migrate: () => migrate(client, schema),
    migrationSql: () => migrationSql(schema),
    recordReceipts: (receipts) => recordReceipts(database, receipts),
    transaction: (work, { handlerSeconds } = {}) => {
      let explain = (error: unknown): unknown => error
      const running = client.transaction(
        async (connection) => {
          const closing = createClosing(connection)
          explain = closing?.explain ?? explain
          const frame = { mayEndWhenIdle, enteredSeconds: handlerSeconds, closing }
          const { transaction, failure } = storeTransaction({ connection, guard, shared, frame })
          const result = await work(transaction)
          // A caller that went on after its handler failed must not commit what the handler did.
          if (failure() !== undefined) throw failure()
          return result
        },
        handlerSeconds === undefined ? [] : enteringStatements(handlerSeconds, mayEndWhenIdle),
      )
      return running.catch((error: unknown) => {
        throw explain(error)
      })
    },
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
    readBody: (environment, receiptId) => readBody(database, environment, receiptId),
    readRedactions: (environment, receiptIds) => readRedactions(database, environment, receiptIds),
    replay: (environment, filter, note) => replay(database, environment, { filter, note }),
    counts: (environment) => counts(database, environment),
    retryPatterns: (environment, question) => retryPatterns(database, environment, question),
    health: (environment) => health(database, environment),
    gauges: (environment) => gauges(database, environment),
    inspect: (asked) => inspect({ client, database, name, schemaName, clock }, asked),
    outbox: outboxStore(database),
    meters: meterStore(database),
    upkeep: upkeepStore(database),
    retention: retentionStore(database),
    recovery: recoveryStore(client, database),
    shadow: shadowStore(client, database),
    sealed: sealedStore(database),
    alerts: alertStore(database, client),
    datastore: datastoreStore(database),
    overview: overviewStore(database),
    adminLog: adminLogStore(database),
    adminSessions: adminSessionStore(database),
    captures: captureStore(database, client),
    automations: automationStore(database),
    wakeOthers: () => wakeOthers(query, schemaName),
    listen: (onWake) => listen(client, { schema: schemaName, clock, onWake }),
    ledgerName: () => readLedgerName(database),
    durability: () => durability(query, clock),
    close: client.close,
  }
}

type OpenTransaction<Tx> = { readonly transaction: StoreTransaction<Tx>; readonly failure: () => unknown }

function storeTransaction<Tx>(options: {
  readonly connection: SqlConnection<Tx>
  readonly guard: TransactionGuard
  readonly shared: Omit<Database, 'query' | 'call'>
  readonly frame: FrameOptions
}): OpenTransaction<Tx> {
  const { connection, guard, frame } = options
  const { schema } = options.shared
  const query = explained(connection.query, schema)
  const call = connection.call && explained(connection.call, schema)
  const database: Database = { ...options.shared, query, call }
  let failure: unknown
  const own = ownFrame(connection, frame)
  const shared = sharedFrame(connection, frame)
  const joint = jointFrame(connection, frame)
  const runIn = async <Result>(
    frameOfRun: Frame,
    run: (tx: Tx) => Promise<Result>,
    limits: RunLimits,
  ): Promise<Result> => {
    try {
      return await runHandler(connection, guard, { run, limits, frame: frameOfRun })
    } catch (error) {
      failure ??= error ?? new TypeError('The handler threw undefined.')
      throw error
    }
  }
  return {
    failure: () => failure,
    transaction: {
      recordReceipt: async (receipt) => {
        const [recorded] = await recordReceipts(database, [receipt], 'events')
        if (recorded === undefined) throw storeUnavailable('the database did not answer for a receipt')
        return recorded
      },
      recordReceipts: (receipts) => recordReceipts(database, receipts, 'events'),
      runHandler: (run, limits) => runIn(own, run, limits),
      runTogether: (run, limits) => runIn(joint, run, limits),
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
        await joint.end({ isLast: false })
        return completeReceipts(database, completed)
      },
      effects: effectTransaction(database),
      completeHandler: (lease, run, ending = 'processed') => completeHandler(database, lease, { run, ending }),
      completeReceipt: (lease, run, ending = 'processed') => completeReceipt(database, lease, { run, ending }),
      finishReceipt: async (lease, run, ending = 'processed') => {
        const { closing } = frame
        if (closing !== undefined) {
          closing.add(finishReceiptCall(database.schema, lease, { run, ending }), (error) =>
            sqlState(error) === 'OHLL0' ? leaseLost(lease.receiptId) : error,
          )
        } else if (!(await completeReceipt(database, lease, { run, ending }))) throw leaseLost(lease.receiptId)
      },
      finishInlines: async (completed) => {
        const { closing } = frame
        await joint.end({ isLast: true })
        if (closing === undefined) await completeInlines(database, completed)
        else if (completed.length > 0) closing.add(finishInlinesCall(database.schema, completed), (error) => error)
      },
      finishInline: async (completion) => {
        const { closing } = frame
        if (closing === undefined) await completeInline(database, completion)
        else closing.add(finishInlineCall(database.schema, completion), (error) => error)
      },
    },
  }
}

/** Our own statements only: a table that a handler misses is the user's. */
function explained<Send extends SqlQuery | SendCall>(send: Send, schema: string): Send {
  return (async (...given: readonly unknown[]) => {
    try {
      return await (send as (...given: readonly unknown[]) => Promise<unknown>)(...given)
    } catch (error) {
      throw explainMissingTables(error, schema)
    }
  }) as Send
}

const attemptsAtConflict = 3

/** A single statement that lost against another is undone as a whole, so it can simply be sent again. */
function patient<Send extends SqlQuery | SendCall>(send: Send): Send {
  return (async (...given: readonly unknown[]) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await (send as (...given: readonly unknown[]) => Promise<unknown>)(...given)
      } catch (error) {
        if (!isConflict(error) || attempt === attemptsAtConflict) throw error
      }
    }
  }) as Send
}
