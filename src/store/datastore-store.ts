import type { UpkeepLease } from './upkeep-store.ts'

/** Where a value is. */
export type ValuePlace = { readonly environment: string; readonly namespace: string; readonly key: string }

/** A value as it is kept. One whose time is over is never seen, by the database's clock. */
export type ValueRow = {
  readonly key: string
  /** JSON; sealed where values are encrypted. */
  readonly text: string
  /** Never the same for two states of a key, also after it was deleted and made anew. */
  readonly version: number
  readonly expiresAt: Date | undefined
  readonly updatedAt: Date
}

/** What can be done with values, inside a transaction and outside. Each is one decision of the database. */
export type DatastoreVerbs = {
  readonly read: (place: ValuePlace) => Promise<ValueRow | undefined>
  /** Of any number of concurrent calls `when: 'absent'` on one key, exactly one is told its row. Undefined: the condition does not hold. */
  readonly write: (value: ValueToWrite) => Promise<ValueRow | undefined>
  /** False if there is none, or not of this version. */
  readonly remove: (place: ValuePlace, version: number | undefined) => Promise<boolean>
  /** In the order of their keys by code point. A page ends early rather than being larger than a megabyte. */
  readonly page: (question: PageQuestion) => Promise<{ readonly rows: readonly ValueRow[]; readonly isLast: boolean }>
  /** In the order of their names. */
  readonly namespaces: (question: NamespaceQuestion) => Promise<readonly NamespaceRow[]>
}

export type DatastoreStore = DatastoreVerbs & {
  /** Removes values whose time is over, the oldest first. */
  readonly removeExpired: (lease: UpkeepLease, limit: number) => Promise<number | 'lease_lost'>
}

/** The same inside a transaction, and undone with it. */
export type DatastoreTransaction = DatastoreVerbs & {
  /** Reads, and lets nobody else change it before the transaction ends. */
  readonly lock: (place: ValuePlace) => Promise<ValueRow | undefined>
}

export type ValueToWrite = ValuePlace & {
  readonly text: string
  /** `keep`: as long as it had before. Undefined: for ever. */
  readonly ttlSeconds: number | 'keep' | undefined
  readonly when: 'always' | 'absent' | { readonly version: number }
}

export type PageQuestion = {
  readonly environment: string
  readonly namespace: string
  readonly prefix: string
  readonly after: string | undefined
  readonly limit: number
}

export type NamespaceQuestion = {
  readonly environment: string
  readonly after: string | undefined
  readonly limit: number
}

export type NamespaceRow = {
  readonly namespace: string
  /** Counted up to a thousand. */
  readonly keys: number
  readonly hasMoreKeys: boolean
}
