import { onAbort } from '../../abort.ts'
import { handlerTimedOut, isOncehookError, OncehookError } from '../../errors.ts'
import type { RunLimits } from '../store.ts'
import type { Closing } from './closing.ts'
import { endedTransaction, guardTransaction, type TransactionGuard } from './guarded-transaction.ts'
import type { SqlConnection } from './sql-client.ts'
import { sqlState } from './sql-errors.ts'

/** How much longer than the handler the database waits before it frees the locks of a process that froze. */
const marginSeconds = 5

/** Gone if the handler ended the transaction; cannot be released if a statement failed and the error was swallowed. */
const guardName = 'oncehook_guard'
const releaseSql = `release savepoint ${guardName}`

/** The savepoint around a handler: how it is set, and what follows when the handler has returned. */
export type Frame = {
  /** Also sets the time limits of the handler. */
  readonly enter: (limits: RunLimits) => Promise<unknown>
  readonly leave: (limits: RunLimits) => Promise<unknown>
}

/** What enters the frame of a handler with this time limit: its limits, then its savepoint. */
export function enteringStatements(timeoutSeconds: number, mayEndWhenIdle: boolean): readonly string[] {
  return [...limitStatements(timeoutSeconds, mayEndWhenIdle), `savepoint ${guardName}`]
}

/** Handlers that fail or commit together. The first one's frame may have been entered when the transaction began. */
export function ownFrame<Tx>(
  connection: SqlConnection<Tx>,
  { mayEndWhenIdle, enteredSeconds, closing }: FrameOptions,
): Frame {
  let entered = enteredSeconds
  return {
    enter: async ({ timeoutSeconds }) => {
      const isEntered = entered === timeoutSeconds
      entered = undefined
      if (!isEntered) await connection.sendAll(enteringStatements(timeoutSeconds, mayEndWhenIdle))
    },
    leave: async ({ handler, isLast = false }) => {
      if (isLast && closing !== undefined) closing.add({ text: releaseSql }, (error) => explainRelease(error, handler))
      else await releaseGuard(connection, handler)
    },
  }
}

/** Several behind one savepoint: the first one's. Whatever goes wrong goes wrong for all of them. */
export type JointFrame = Frame & { readonly end: (how: { readonly isLast: boolean }) => Promise<unknown> }

export function jointFrame<Tx>(connection: SqlConnection<Tx>, options: FrameOptions): JointFrame {
  const own = ownFrame(connection, options)
  let entering: Promise<unknown> | undefined
  let last: RunLimits | undefined
  return {
    enter: (limits) => {
      last = limits
      entering ??= own.enter(limits)
      return entering
    },
    leave: async () => {},
    end: async ({ isLast }) => {
      if (last !== undefined) await own.leave({ ...last, isLast })
    },
  }
}

export type FrameOptions = {
  readonly mayEndWhenIdle: boolean
  /** The time limit of the frame that was entered with the transaction, if one was. */
  readonly enteredSeconds?: number | undefined
  /** What is sent with the commit, where the client can. */
  readonly closing?: Closing | undefined
}

/** One after another in the same transaction, each behind a savepoint of its own. */
export type SharedFrame = Frame & {
  /** Undoes what the last handler did. Rejects if that cannot be done. */
  readonly undo: () => Promise<unknown>
  /** After the last one. */
  readonly end: () => Promise<unknown>
}

/** The savepoint of one handler is released together with the setting of the next one's: if that fails, all that share the transaction do. */
export function sharedFrame<Tx>(connection: SqlConnection<Tx>, { mayEndWhenIdle }: FrameOptions): SharedFrame {
  let limit: number | undefined
  let isSet = false
  let boundary: Promise<unknown> = Promise.resolve()
  return {
    enter: async ({ timeoutSeconds }) => {
      const limits = limit === timeoutSeconds ? [] : limitStatements(timeoutSeconds, mayEndWhenIdle)
      boundary = connection.sendAll([...(isSet ? [releaseSql] : []), ...limits, `savepoint ${guardName}`])
      limit = timeoutSeconds
      isSet = true
      await boundary
    },
    leave: async () => {},
    undo: async () => {
      await boundary
      await connection.query(`rollback to savepoint ${guardName}`)
    },
    end: async () => {
      if (isSet) await connection.query(releaseSql)
    },
  }
}

/**
 * Ends with the handler, even if this process does not: these limits are the database's. They hold for this transaction only.
 * A lock that is waited for as long as the handler may take will not come in time.
 */
function limitStatements(timeoutSeconds: number, mayEndWhenIdle: boolean): readonly string[] {
  const lockMilliseconds = Math.ceil(timeoutSeconds * 1000)
  const totalMilliseconds = Math.ceil((timeoutSeconds + marginSeconds) * 1000)
  const idleMilliseconds = mayEndWhenIdle ? totalMilliseconds : 0
  // In one statement: each costs a round trip with some libraries, and something with all.
  return [
    `select set_config('lock_timeout', '${lockMilliseconds}', true), set_config('statement_timeout', '${totalMilliseconds}', true), ` +
      `set_config('idle_in_transaction_session_timeout', '${idleMilliseconds}', true)`,
  ]
}

/** Runs a user's code inside our transaction. Whatever goes wrong, nothing of it can be committed, and the error says why. */
export async function runHandler<Tx, Result>(
  connection: SqlConnection<Tx>,
  guard: TransactionGuard,
  {
    run,
    limits,
    frame,
  }: { readonly run: (tx: Tx) => Promise<Result>; readonly limits: RunLimits; readonly frame: Frame },
): Promise<Result> {
  const { handler, abort } = limits
  await connection.begin?.()
  const guarded =
    connection.guard?.(handler) ?? guardTransaction(connection.raw, guard, { handler, instead: connection.instead?.() })
  const deadline: Deadline = { passed: undefined }

  const work = async (): Promise<Result> => {
    await frame.enter(limits)
    if (deadline.passed !== undefined) throw deadline.passed
    const result = await run(guarded.value)
    guarded.revoke()
    const refusal = guarded.refusal()
    if (refusal !== undefined) throw refusal
    const running = await guarded.runningStatements()
    if (running > 0) throw leftStatements(handler, running)
    await frame.leave(limits)
    return result
  }

  try {
    return await untilInterrupted(work, limits, deadline)
  } catch (error) {
    guarded.revoke()
    if (deadline.passed !== undefined) {
      abort.abort(error)
      connection.destroy()
    }
    throw guarded.refusal() ?? error
  }
}

/** Why the handler was not waited for any longer, if it was not. */
type Deadline = { passed: OncehookError | undefined }

/** What the work comes to, or a rejection as soon as the time is up or the worker stops. */
function untilInterrupted<Result>(
  work: () => Promise<Result>,
  { handler, timeoutSeconds, abort }: RunLimits,
  deadline: Deadline,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    let forget = (): void => {}
    const settle = (): void => {
      clearTimeout(timer)
      forget()
    }
    const interrupt = (error: OncehookError): void => {
      deadline.passed ??= error
      settle()
      reject(error)
    }
    const timer = setTimeout(() => interrupt(handlerTimedOut(handler, timeoutSeconds)), timeoutSeconds * 1000)
    forget = onAbort(abort, (reason) => interrupt(stopped(handler, reason)))
    work().then(
      (result) => {
        settle()
        resolve(result)
      },
      (error: Error) => {
        settle()
        reject(error)
      },
    )
  })
}

async function releaseGuard<Tx>(connection: SqlConnection<Tx>, handler: string): Promise<void> {
  try {
    await connection.query(releaseSql)
  } catch (error) {
    throw explainRelease(error, handler)
  }
}

function explainRelease(error: unknown, handler: string): unknown {
  const state = sqlState(error)
  if (state === '25P02') return swallowedFailure(handler, error)
  if (state === '25P01' || state === '3B001') return endedTransaction(handler, 'COMMIT or ROLLBACK')
  return error
}

function swallowedFailure(handler: string, cause: unknown): OncehookError {
  return new OncehookError(
    'ONCEHOOK_HANDLER_SWALLOWED_FAILURE',
    `A statement of handler "${handler}" failed and the handler returned as if it had not, so everything was rolled back. ` +
      'Let the error pass, or wrap a statement that may fail in a savepoint.',
    { cause },
  )
}

/** Nothing says whether they would have worked. */
export function leftStatements(handler: string, count: number): OncehookError {
  return new OncehookError(
    'ONCEHOOK_HANDLER_LEFT_STATEMENTS',
    `Handler "${handler}" returned while ${count} of its statements ${count === 1 ? 'was' : 'were'} still running, ` +
      'so everything was rolled back. Await every statement.',
  )
}

function stopped(handler: string, reason: unknown): OncehookError {
  if (isOncehookError(reason)) return reason
  return new OncehookError(
    'ONCEHOOK_STOPPED',
    `Handler "${handler}" was still running when the process stopped, so its transaction was rolled back. It will run again.`,
    { cause: reason },
  )
}
