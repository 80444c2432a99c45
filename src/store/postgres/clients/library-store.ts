import { invalidOptions } from '../../../errors.ts'
import type { Store } from '../../store.ts'
import { createSqlStore } from '../create-sql-store.ts'
import type { SqlClient } from '../sql-client.ts'

/** What a store by way of a library can be told. */
export type LibraryStoreOptions = {
  /** Where the tables are. Default `oncehook`. */
  readonly schema?: string
  /** How long to wait for a connection. Default 5. */
  readonly connectionTimeoutSeconds?: number
  /** How long to wait for an answer to one of the store's own statements. Default 30. */
  readonly statementTimeoutSeconds?: number
}

export type LibraryLimits = {
  readonly connectionTimeoutSeconds: number
  /** How long an answer to one of our own statements may take. */
  readonly statementTimeoutSeconds: number
}

type LibraryStore<Tx> = {
  /** The public function, for messages. */
  readonly caller: string
  readonly name: string
  /** What is wrong with the first argument, if anything is. */
  readonly mistakes: readonly string[]
  readonly options: LibraryStoreOptions
  readonly createClient: (limits: LibraryLimits) => SqlClient<Tx>
}

/** A store on a library's own instance, which stays the user's: closing the store leaves it open. */
export function createLibraryStore<Tx>({ caller, name, mistakes, options, createClient }: LibraryStore<Tx>): Store<Tx> {
  const { schema, connectionTimeoutSeconds = 5, statementTimeoutSeconds = 30 } = options
  const limits = { connectionTimeoutSeconds, statementTimeoutSeconds }
  const found = [
    ...mistakes,
    ...Object.entries(limits)
      .filter(([, value]) => !(Number.isFinite(value) && value > 0))
      .map(([option, value]) => `${option} is ${value}; it must be a number above 0.`),
  ]
  if (found.length > 0) throw invalidOptions(caller, found)
  return createSqlStore({
    client: createClient(limits),
    name,
    defaultMode: 'inline',
    // The clients of libraries guard the transaction themselves.
    guard: { statements: {}, refused: [] },
    ...(schema !== undefined && { schema }),
  })
}

/** Whether the first argument has the methods that its library is known by. */
export function hasMethods(value: unknown, names: readonly string[]): boolean {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false
  return names.every((name) => typeof (value as Readonly<Record<string, unknown>>)[name] === 'function')
}
