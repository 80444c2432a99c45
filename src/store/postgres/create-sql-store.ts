import { type Clock, systemClock } from '../../clock.ts'
import type { Store } from '../store.ts'
import { adminLogStore } from './admin/admin-log.ts'
import { adminSessionStore } from './admin/admin-sessions.ts'
import { alertStore } from './alerts/alert-store.ts'
import { createAskFirst } from './ask-first.ts'
import { automationStore } from './automations/automation-store.ts'
import { captureStore } from './captures/capture-store.ts'
import { claim, millisecondsUntilDue } from './claim.ts'
import { createClosing } from './closing.ts'
import type { Database } from './database.ts'
import { datastoreStore } from './datastore/datastore-store.ts'
import { durability } from './durability.ts'
import { readBody, readReceipt } from './event-row.ts'
import { counts, findReceipts } from './find.ts'
import { gauges } from './gauges.ts'
import type { TransactionGuard } from './guarded-transaction.ts'
import { enteringStatements } from './handler-transaction.ts'
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
import type { SendCall, SqlClient, SqlQuery } from './sql-client.ts'
import { explained, isConflict } from './sql-errors.ts'
import { storeTransaction } from './store-transaction.ts'
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
  const askFirst = createAskFirst()

  return {
    name,
    defaultMode,
    transactionSlots: client.transactionSlots,
    migrate: () => migrate(client, schema),
    migrationSql: () => migrationSql(schema),
    recordReceipts: (receipts, onKnown) => recordReceipts(database, receipts, { askFirst, onKnown }),
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
