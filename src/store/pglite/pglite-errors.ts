import { OncehookError } from '../../errors.ts'
import type { ProcessIdentity } from './process-identity.ts'

export function missingPackage(cause: unknown): OncehookError {
  return new OncehookError(
    'ONCEHOOK_MISSING_PACKAGE',
    'pgliteStore needs the package @electric-sql/pglite, which is not installed. Run: npm install @electric-sql/pglite',
    { cause },
  )
}

export function packageUnfit(what: string): OncehookError {
  return new OncehookError(
    'ONCEHOOK_MISSING_PACKAGE',
    `The installed @electric-sql/pglite has no ${what}, without which what is written could be lost in a power cut. ` +
      'Run: npm install @electric-sql/pglite@^0.5.16',
  )
}

export function storeInUse(directory: string, owner: ProcessIdentity): OncehookError {
  const whose = owner.pid === process.pid ? 'by another store in this process' : `by process ${owner.pid}`
  return new OncehookError(
    'ONCEHOOK_STORE_IN_USE',
    `${directory} is in use ${whose} (since it started at ${owner.startedAt}). PGlite allows one owner at a time: ` +
      'two would destroy the data. Stop that process, share one store, or use postgresStore for several processes.',
  )
}

export function storeOwnerUnknown(
  directory: string,
  owner: ProcessIdentity | undefined,
  lockFile: string,
): OncehookError {
  const who =
    owner === undefined ? 'an owner whose record cannot be read' : `process ${owner.pid} on host ${owner.host}`
  return new OncehookError(
    'ONCEHOOK_STORE_IN_USE',
    `${directory} is locked by ${who}, and from here it cannot be seen whether that one still runs ` +
      `(another container or machine). If you are sure that it is gone, delete ${lockFile}.`,
  )
}

export function directoryHoldsOtherFiles(directory: string): OncehookError {
  return new OncehookError(
    'ONCEHOOK_INVALID_OPTIONS',
    `${directory} holds files that are not a database of this store, so nothing was touched. Give pgliteStore another directory.`,
  )
}

export function spaceTooLow(directory: string, freeBytes: number): OncehookError {
  return new OncehookError(
    'ONCEHOOK_STORE_UNAVAILABLE',
    `The disk of ${directory} has ${Math.floor(freeBytes / 1024 / 1024)} MB left, and below 64 MB nothing more is written. ` +
      'Free some space; writing then goes on by itself.',
  )
}

export function databaseFailed(detail: string, cause?: unknown): OncehookError {
  return new OncehookError(
    'ONCEHOOK_STORE_UNAVAILABLE',
    `The embedded database stopped (${detail}). In a directory it is opened again at the next use, with all that was acknowledged; ` +
      'in memory it is lost.',
    { cause },
  )
}

export function endedByHandler(): OncehookError {
  return new OncehookError(
    'ONCEHOOK_HANDLER_ENDED_TRANSACTION',
    'The transaction was rolled back by the code inside it, so nothing was kept. Throw an error to roll back.',
  )
}

export function databaseInsideHandler(): OncehookError {
  return new OncehookError(
    'ONCEHOOK_INVALID_OPTIONS',
    'PGlite has one connection, and this handler holds it: the statement would wait for ever. ' +
      'Inside a handler use its tx, not the database.',
  )
}

export function storeClosed(): OncehookError {
  return new OncehookError('ONCEHOOK_STOPPED', 'This store was closed. Create a new one to go on.')
}
