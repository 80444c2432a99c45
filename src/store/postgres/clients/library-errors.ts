import { OncehookError } from '../../../errors.ts'
import { commitUnknown } from '../sql-errors.ts'

/** Codes and sentences by which the libraries tell that the connection, not the statement, is the trouble. */
const lostCodes = /^(?:E[A-Z_]+|CONNECTION_[A-Z_]+|CONNECT_TIMEOUT|P1001|P1002|P1008|P1017)$/
const lostSentences =
  /connection terminated|terminating connection|connection (?:was )?closed|connection ended|not queryable|socket hang up|server closed/i

/** Whether an error says that the connection is gone or cannot be had, also if it was wrapped. */
export function saysConnectionIsLost(error: unknown): boolean {
  let current: unknown = error
  for (let depth = 0; depth < 5 && typeof current === 'object' && current !== null; depth += 1) {
    const { code, message, cause } = current as { code?: unknown; message?: unknown; cause?: unknown }
    if (typeof code === 'string' && lostCodes.test(code)) return true
    if (typeof message === 'string' && lostSentences.test(message)) return true
    current = cause
  }
  return false
}

/** What became of a transaction after its library said that it was committed. */
export function checkFate(fate: unknown): void {
  if (fate === 'committed') return
  if (fate === 'aborted') {
    throw new OncehookError(
      'ONCEHOOK_HANDLER_SWALLOWED_FAILURE',
      'A statement of this transaction failed and its error was swallowed, so the database rolled everything back at the end. ' +
        'Let the error pass, or wrap a statement that may fail in a savepoint.',
    )
  }
  throw commitUnknown(`the library says that it was committed, the database says "${String(fate)}"`)
}
