import { OncehookError } from '../../errors.ts'
import type { SendCall, SqlQuery } from './sql-client.ts'

/** The five characters of PostgreSQL for a failure, also if another library has wrapped the error. */
export function sqlState(error: unknown): string | undefined {
  let current: unknown = error
  for (let depth = 0; depth < 5 && typeof current === 'object' && current !== null; depth += 1) {
    const { code, cause } = current as { readonly code?: unknown; readonly cause?: unknown }
    if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) return code
    current = cause
  }
  return undefined
}

/** The database gave up one of two transactions that stood in each other's way. Running it again is the cure. */
export function isConflict(error: unknown): boolean {
  const state = sqlState(error)
  // The last one: a statement that the server had kept was discarded by somebody. It is parsed again at the next try.
  return state === '40001' || state === '40P01' || state === '26000'
}

/** Says what to do about tables or columns that are not there. To be used on our own statements only. */
function explainMissingTables(error: unknown, schema: string): unknown {
  if (!['42P01', '3F000', '42703'].includes(sqlState(error) ?? '')) return error
  return new OncehookError(
    'ONCEHOOK_NOT_MIGRATED',
    `The schema ${schema} of this database lacks Oncehook's tables, or has old ones. ` +
      'Call migrate() at start-up or run `npx oncehook migrate`; to run the SQL yourself, see `npx oncehook migrate --print`.',
    { cause: error },
  )
}

export function conflict(cause: unknown): OncehookError {
  return new OncehookError(
    'ONCEHOOK_CONFLICT',
    'The database ended this transaction because it and another one waited for each other. Nothing of it was kept: run it again.',
    { cause },
  )
}

export function commitUnknown(detail: string, cause?: unknown): OncehookError {
  return new OncehookError(
    'ONCEHOOK_COMMIT_UNKNOWN',
    `It is not known whether the transaction was committed: ${detail}. Treat it as not done; if it was, the next try finds its receipt.`,
    { cause },
  )
}

export function storeUnavailable(detail: string, cause?: unknown): OncehookError {
  return new OncehookError(
    'ONCEHOOK_STORE_UNAVAILABLE',
    `The database could not be used: ${detail}. Nothing was acknowledged; try again once it can be reached.`,
    { cause },
  )
}

/** Our own statements only: a table that a handler misses is the user's. */
export function explained<Send extends SqlQuery | SendCall>(send: Send, schema: string): Send {
  return (async (...given: readonly unknown[]) => {
    try {
      return await (send as (...given: readonly unknown[]) => Promise<unknown>)(...given)
    } catch (error) {
      throw explainMissingTables(error, schema)
    }
  }) as Send
}
