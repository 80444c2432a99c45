import { leaseLost } from '../../errors.ts'
import type { NewReceipt, Recorded } from '../../receipt/receipt.ts'
import type {
  Beside,
  CompletedInline,
  EffectTransaction,
  InlineCompletion,
  RunLimits,
  StoreTransaction,
} from '../store.ts'
import { completeHandler, completeInline, completeReceipt, finishInlineCall, finishReceiptCall } from './complete.ts'
import { completeInlines, completeReceipts, finishInlinesCall, finishReceiptsCall } from './complete-many.ts'
import type { Database } from './database.ts'
import { effectTransaction } from './effects.ts'
import type { TransactionGuard } from './guarded-transaction.ts'
import {
  type Frame,
  type FrameOptions,
  type JointFrame,
  jointFrame,
  ownFrame,
  runHandler,
  type SharedFrame,
  sharedFrame,
} from './handler-transaction.ts'
import { createRecording, logInlineRuns, logInlineRunsCall } from './log-inline-runs.ts'
import { recordReceipts } from './record-receipts.ts'
import type { SqlBeside, SqlConnection } from './sql-client.ts'
import { explained, sqlState, storeUnavailable } from './sql-errors.ts'

/** The functions that complete at the end of a transaction name the receipt. */
function explainLostLease(error: unknown): unknown {
  if (sqlState(error) !== 'OHLL0') return error
  const [receiptId = ''] = /\d+/.exec(error instanceof Error ? error.message : '') ?? []
  return leaseLost(receiptId)
}

/** `failure` is why it must not be committed, if there is a reason. */
export type OpenTransaction<Tx> = { readonly transaction: StoreTransaction<Tx>; readonly failure: () => unknown }

/** What can be done in a transaction that is open on this connection. */
export function storeTransaction<Tx>(options: {
  readonly connection: SqlConnection<Tx>
  readonly guard: TransactionGuard
  readonly shared: Omit<Database, 'query' | 'call'>
  readonly frame: FrameOptions
}): OpenTransaction<Tx> {
  const { connection, guard, frame } = options
  const { beside } = connection
  const { schema } = options.shared
  const query = explained(connection.query, schema)
  const call = connection.call && explained(connection.call, schema)
  // Written out: this is made for every transaction, and spreading would take as long as a statement.
  const { wakeChannel, takesBinary } = options.shared
  const database: Database = { query, call, schema, wakeChannel, takesBinary }
  let failure: unknown
  let effects: EffectTransaction | undefined
  // A transaction has handlers of one kind only, so that the frames of the others are not made.
  let own: Frame | undefined
  let shared: SharedFrame | undefined
  let joint: JointFrame | undefined
  const runIn = async <Result>(
    frameOfRun: Frame,
    run: (tx: Tx) => Promise<Result>,
    limits: RunLimits,
    connectionOfRun = connection,
  ): Promise<Result> => {
    try {
      return await runHandler(connectionOfRun, guard, { run, limits, frame: frameOfRun })
    } catch (error) {
      failure ??= error ?? new TypeError('The handler threw undefined.')
      throw error
    }
  }
  const openBeside = ({ connection: connectionOfOne, end, wasBrief }: SqlBeside<Tx>): Beside<Tx> => {
    const sent = (): Database => ({ ...database, query: explained(connectionOfOne.query, schema), call: undefined })
    const runTogether = async <Result>(run: (tx: Tx) => Promise<Result>, limits: RunLimits): Promise<Result> => {
      const undivided = async (tx: Tx): Promise<Result> => {
        try {
          return await run(tx)
        } finally {
          end()
        }
      }
      joint ??= jointFrame(connection, frame)
      return runIn(joint, undivided, limits, connectionOfOne)
    }
    return { run: runTogether, effects: () => effectTransaction(sent()), wasBrief }
  }
  const recording = createRecording()
  const record = async (receipts: readonly NewReceipt[]): Promise<readonly Recorded[]> => {
    const recorded = await recordReceipts(database, receipts, { locking: 'events' })
    recording.happened()
    return recorded
  }
  const transaction: StoreTransaction<Tx> = {
    recordReceipt: async (receipt) => {
      const [recorded] = await record([receipt])
      if (recorded === undefined) throw storeUnavailable('the database did not answer for a receipt')
      return recorded
    },
    recordReceipts: record,
    runHandler: (run, limits) => {
      own ??= ownFrame(connection, frame)
      return runIn(own, run, limits)
    },
    runTogether: (run, limits) => {
      joint ??= jointFrame(connection, frame)
      return runIn(joint, run, limits)
    },
    runShared: async (run, limits) => {
      shared ??= sharedFrame(connection, frame)
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
    finishReceipts: async (completed) => {
      const { closing } = frame
      await shared?.end()
      await joint?.end({ isLast: true })
      if (completed.length === 0) return
      if (closing !== undefined) {
        closing.add(finishReceiptsCall(schema, completed), explainLostLease)
        return
      }
      const held = new Set(await completeReceipts(database, completed))
      const lost = completed.find(({ lease }) => !held.has(lease.receiptId))
      if (lost !== undefined) throw leaseLost(lost.lease.receiptId)
    },
    beside: beside === undefined ? undefined : () => openBeside(beside()),
    effects: () => {
      effects ??= effectTransaction(database)
      return effects
    },
    completeHandler: (lease, run, ending = 'processed') => completeHandler(database, lease, { run, ending }),
    completeReceipt: (lease, run, ending = 'processed') => completeReceipt(database, lease, { run, ending }),
    finishReceipt: async (lease, run, ending = 'processed') => {
      const { closing } = frame
      if (closing !== undefined) {
        closing.add(finishReceiptCall(schema, lease, { run, ending }), explainLostLease)
      } else if (!(await completeReceipt(database, lease, { run, ending }))) throw leaseLost(lease.receiptId)
    },
    finishInlines: async (completed) => {
      const { closing } = frame
      await joint?.end({ isLast: true })
      if (completed.length === 0) return
      const isLogged = recording.saysAll(completed)
      if (closing === undefined) await (isLogged ? logInlineRuns : completeInlines)(database, completed)
      else closing.add((isLogged ? logInlineRunsCall : finishInlinesCall)(schema, completed), (error) => error)
    },
    finishInline: async (completion) => {
      const { closing } = frame
      const only = onlyRunOf(completion)
      if (only !== undefined && recording.saysAll([only])) {
        if (closing === undefined) await logInlineRuns(database, [only])
        else closing.add(logInlineRunsCall(schema, [only]), (error) => error)
      } else if (closing === undefined) await completeInline(database, completion)
      else closing.add(finishInlineCall(schema, completion), (error) => error)
    },
  }
  return { transaction, failure: () => failure }
}

/** Undefined if there were others, or some are still to come. */
function onlyRunOf({ receiptId, key, runs, next }: InlineCompletion): CompletedInline | undefined {
  const [run] = runs
  return run === undefined || runs.length > 1 || next === 'queue' ? undefined : { receiptId, key, run, ending: next }
}
