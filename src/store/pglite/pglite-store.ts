import { isAbsolute, resolve } from 'node:path'
import { invalidOptions } from '../../errors.ts'
import { createSqlStore } from '../postgres/create-sql-store.ts'
import type { TransactionGuard } from '../postgres/guarded-transaction.ts'
import type { Store } from '../store.ts'
import { holdDatabase, type Location } from './database-holder.ts'
import { createPgliteClient } from './pglite-client.ts'
import { pgliteDurability } from './pglite-durability.ts'
import type { PGliteDatabase, PGliteInstance, PGliteTransaction } from './pglite-types.ts'

export type { PGliteDatabase, PGliteInstance, PGliteTransaction } from './pglite-types.ts'

/** Where the tables are. */
export type PgliteStoreOptions = {
  /** Where the tables are. Default `oncehook`. */
  readonly schema?: string
}

/** A store in this process, with its database. */
export type PgliteStore = Store<PGliteTransaction> & {
  /**
   * The database for the app's own statements. PGlite has one connection, so inside a handler only `tx` can be used:
   * there every member of this rejects at once.
   */
  readonly database: () => PGliteDatabase
}

/**
 * A store without a server: Postgres inside this process. With a directory, what was acknowledged survives a power cut, and a second
 * process is refused. Without one, or with `memory://`, it lives as long as the process: for tests and demos.
 * A PGlite of your own is used as it is, and left open. Nothing is opened before the first use.
 */
export function pgliteStore(
  where: string | PGliteInstance = 'memory://',
  options: PgliteStoreOptions = {},
): PgliteStore {
  const location = locate(where)
  const client = createPgliteClient(holdDatabase(location))
  const store = createSqlStore<PGliteTransaction>({ ...options, client, name: 'pglite', defaultMode: 'queued', guard })
  return {
    ...store,
    // Nobody else can be waiting, and saying so would cost a commit.
    wakeOthers: async () => {},
    durability: () => pgliteDurability(location.kind, client.query),
    database: client.database,
  }
}

const guard: TransactionGuard = {
  statements: {
    query: ([text]) => (typeof text === 'string' ? text : undefined),
    exec: ([text]) => (typeof text === 'string' ? text : undefined),
    sql: ([strings]) => (Array.isArray(strings) ? strings.join(' ') : undefined),
  },
  refused: ['rollback'],
}

function locate(where: string | PGliteInstance): Location {
  if (typeof where !== 'string') return { kind: 'instance', instance: where }
  if (where === 'memory://') return { kind: 'memory' }
  const directory = where.replace(/^file:\/\//, '')
  if (directory === '' || (!isAbsolute(directory) && /^[a-z][a-z0-9+.-]+:/i.test(directory))) {
    throw invalidOptions('pgliteStore', [
      `"${where}" is not a directory. Give a path, "memory://" or a PGlite instance.`,
    ])
  }
  return { kind: 'directory', directory: resolve(directory) }
}
