import { isOncehookError, OncehookError } from '../../../errors.ts'
import { commitUnknown, conflict, isConflict, sqlState, storeUnavailable } from '../sql-errors.ts'

/** Server shutdown, administrator's command, crash, too many connections, connection failures: another try may find it well. */
const unavailableStates = /^(?:08...|57P0[1-5]|53300|25006|25P03)$/

/** What a failed statement of ours means to the caller. Errors about the data stay as they are. */
export function explainQueryError(error: unknown, isConnectionLost: boolean): unknown {
  if (isOncehookError(error)) return error
  if (isConflict(error)) return conflict(error)
  const state = sqlState(error)
  if (state === '25006')
    return storeUnavailable('it is read-only, for example a standby; connect to the primary', error)
  if (isConnectionLost || (state !== undefined && unavailableStates.test(state))) {
    return storeUnavailable('the connection to it was lost or refused', error)
  }
  return error
}

/** Broken constraints, a transaction that has failed or ended, a savepoint that is gone, a lease that is lost. */
const knownStates = /^(?:23...|25P01|25P02|3B001|OHLL0)$/

/** A failure that the server itself reports before it commits is known; everything else is not. */
export function explainCommitError(error: unknown, isConnectionLost: boolean): unknown {
  if (isOncehookError(error)) return error
  if (isConflict(error)) return conflict(error)
  // A constraint that is only checked at the end, which the handler has broken; or one of the statements before COMMIT.
  const state = sqlState(error)
  if (!isConnectionLost && state !== undefined && knownStates.test(state)) return error
  return commitUnknown('the connection failed during COMMIT', error)
}

/** Resolves if the server said COMMIT and nothing else. */
export function checkCommit(tag: string, warnings: readonly string[]): void {
  if (tag === 'ROLLBACK') {
    throw new OncehookError(
      'ONCEHOOK_HANDLER_SWALLOWED_FAILURE',
      'A statement of this transaction failed and its error was swallowed, so the database rolled everything back at the end. ' +
        'Let the error pass, or wrap a statement that may fail in a savepoint.',
    )
  }
  if (tag !== 'COMMIT') throw commitUnknown(`the server answered "${tag}" to COMMIT`)
  checkReplication(warnings)
}

/** Someone cancelled the wait for the standby: the commit is on this machine only, which is less than was promised. */
export function checkReplication(warnings: readonly string[]): void {
  const warning = warnings.find((text) => /synchronous replication|not.*replicated/i.test(text))
  if (warning !== undefined) throw commitUnknown(`the server warned: ${warning}`)
}

export function connectionTimeout(seconds: number, cause?: unknown): OncehookError {
  return new OncehookError(
    'ONCEHOOK_CONNECTION_TIMEOUT',
    `No connection to the database could be had within ${seconds} s: all of the pool are in use, or the server does not answer. ` +
      'Make the pool larger (max), or look for handlers that use the pool instead of tx.',
    { cause },
  )
}
