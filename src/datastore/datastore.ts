import { isDeepStrictEqual } from 'node:util'
import type { DatastoreTransaction, DatastoreVerbs, ValuePlace, ValueRow } from '../store/datastore-store.ts'
import {
  checkedAmount,
  checkedKey,
  checkedLimit,
  checkedNamespace,
  checkedPrefix,
  checkedTtl,
  checkedValue,
  checkedVersion,
  notANumber,
} from './check-input.ts'

/** A value of the datastore. */
export type DatastoreValue = {
  readonly namespace: string
  readonly key: string
  /** Whatever JSON can say. */
  readonly value: DatastoreJson
  /** Another one after every change, and never the same again, also when the key was deleted and made anew. */
  readonly version: number
  /** Undefined: it stays. */
  readonly expiresAt: Date | undefined
  readonly updatedAt: Date
}

/** What `JSON.parse` returns: nobody described it. */
export type DatastoreJson = ReturnType<typeof JSON.parse>

/** Whether a value was stored, and what is there now. */
export type Stored =
  | { readonly stored: true; readonly current: DatastoreValue }
  | { readonly stored: false; readonly current: DatastoreValue | undefined }

/** How long a value stays. */
export type TtlOption = {
  /** The value is gone after that, by the database's clock. Default: it stays. */
  readonly ttlSeconds?: number | undefined
}

/** What has to be there for a change to happen. */
export type Expected = { readonly version: number } | { readonly value: unknown }

/** A part of a list. */
export type DatastorePage<Item> = {
  readonly items: readonly Item[]
  /** Where the next page begins, as `after`; undefined if this was the last. */
  readonly next: string | undefined
}

/** A namespace, and how much is in it. */
export type DatastoreNamespace = {
  readonly namespace: string
  /** Counted up to a thousand. */
  readonly keys: number
  readonly hasMoreKeys: boolean
}

/** Small values by namespace and key: JSON up to 64 KB, each change one atomic decision of the database. */
export type Datastore = {
  readonly get: (namespace: string, key: string) => Promise<DatastoreValue | undefined>
  readonly set: (namespace: string, key: string, value: unknown, options?: TtlOption) => Promise<DatastoreValue>
  /** Of any number that ask at once, in however many processes, exactly one is told `stored: true`. */
  readonly setIfAbsent: (namespace: string, key: string, value: unknown, options?: TtlOption) => Promise<Stored>
  /** Stores only if the value is still the expected one: by version, or by what it says. */
  readonly compareAndSet: (
    namespace: string,
    key: string,
    change: TtlOption & { readonly expected: Expected; readonly value: unknown },
  ) => Promise<Stored>
  /** Adds to a number; one that is not there counts as 0. None is lost. `ttlSeconds` counts from when it is made. */
  readonly increment: (
    namespace: string,
    key: string,
    options?: TtlOption & { readonly by?: number },
  ) => Promise<DatastoreValue>
  /** False if there was none, or not of this version. */
  readonly delete: (
    namespace: string,
    key: string,
    options?: { readonly ifVersion?: number | undefined },
  ) => Promise<boolean>
  /** In the order of their keys. */
  readonly list: (
    namespace: string,
    options?: { readonly prefix?: string; readonly after?: string | undefined; readonly limit?: number },
  ) => Promise<DatastorePage<DatastoreValue>>
  readonly namespaces: (options?: {
    readonly after?: string | undefined
    readonly limit?: number
  }) => Promise<DatastorePage<DatastoreNamespace>>
}

export type DatastoreParts = {
  readonly environment: string
  readonly verbs: DatastoreVerbs
  /** Several steps that take effect together, or not at all. */
  readonly atomically: <Result>(work: (transaction: DatastoreTransaction) => Promise<Result>) => Promise<Result>
}

/** Checks what it is given before anything is asked of the database, so that what is wrong leaves nothing behind. */
export function createDatastore({ environment, verbs, atomically }: DatastoreParts): Datastore {
  return {
    async get(namespace, key) {
      const place = placeOf(namespace, key)
      return shown(place, await verbs.read(place))
    },
    async set(namespace, key, value, { ttlSeconds } = {}) {
      const place = placeOf(namespace, key)
      const text = checkedValue(value)
      const row = await verbs.write({ ...place, text, ttlSeconds: checkedTtl(ttlSeconds), when: 'always' })
      return certain(shown(place, row))
    },
    async setIfAbsent(namespace, key, value, { ttlSeconds } = {}) {
      const place = placeOf(namespace, key)
      const text = checkedValue(value)
      const row = await verbs.write({ ...place, text, ttlSeconds: checkedTtl(ttlSeconds), when: 'absent' })
      return row === undefined ? kept(place, await verbs.read(place)) : stored(place, row)
    },
    async compareAndSet(namespace, key, { expected, value, ttlSeconds }) {
      const place = placeOf(namespace, key)
      const change = { ...place, text: checkedValue(value), ttlSeconds: checkedTtl(ttlSeconds) }
      if ('version' in expected) {
        const row = await verbs.write({ ...change, when: { version: checkedVersion(expected.version) } })
        return row === undefined ? kept(place, await verbs.read(place)) : stored(place, row)
      }
      const wanted: unknown = JSON.parse(checkedValue(expected.value))
      return atomically(async ({ lock, write }) => {
        const row = await lock(place)
        if (row === undefined || !isDeepStrictEqual(JSON.parse(row.text), wanted)) return kept(place, row)
        return stored(place, await write({ ...change, when: { version: row.version } }))
      })
    },
    async increment(namespace, key, { by = 1, ttlSeconds } = {}) {
      const place = placeOf(namespace, key)
      const amount = checkedAmount(by)
      const ttl = checkedTtl(ttlSeconds)
      return atomically(async ({ lock, write }) => {
        // Whoever is second to make it waits for the first, and then finds it.
        for (;;) {
          const row = await lock(place)
          const text = row === undefined ? JSON.stringify(amount) : sumText(place, row, amount)
          const change = { ...place, text }
          const written = await (row === undefined
            ? write({ ...change, ttlSeconds: ttl, when: 'absent' })
            : write({ ...change, ttlSeconds: 'keep', when: { version: row.version } }))
          if (written !== undefined) return certain(shown(place, written))
        }
      })
    },
    async delete(namespace, key, { ifVersion } = {}) {
      return verbs.remove(placeOf(namespace, key), ifVersion === undefined ? undefined : checkedVersion(ifVersion))
    },
    async list(namespace, { prefix = '', after, limit } = {}) {
      const question = {
        environment,
        namespace: checkedNamespace(namespace),
        prefix: checkedPrefix(prefix),
        after: after === undefined ? undefined : checkedPrefix(after),
        limit: checkedLimit(limit),
      }
      const { rows, isLast } = await verbs.page(question)
      const items = rows.map((row) => certain(shown({ environment, namespace, key: row.key }, row)))
      return { items, next: isLast ? undefined : items.at(-1)?.key }
    },
    async namespaces({ after, limit } = {}) {
      const most = checkedLimit(limit)
      const rows = await verbs.namespaces({ environment, after, limit: most + 1 })
      const items = rows.slice(0, most)
      return { items, next: rows.length > most ? items.at(-1)?.namespace : undefined }
    },
  }

  function placeOf(namespace: string, key: string): ValuePlace {
    return { environment, namespace: checkedNamespace(namespace), key: checkedKey(key) }
  }
}

function shown({ namespace, key }: ValuePlace, row: ValueRow | undefined): DatastoreValue | undefined {
  if (row === undefined) return undefined
  const { text, version, expiresAt, updatedAt } = row
  return { namespace, key, value: JSON.parse(text), version, expiresAt, updatedAt }
}

function stored(place: ValuePlace, row: ValueRow | undefined): Stored {
  return { stored: true, current: certain(shown(place, row)) }
}

function kept(place: ValuePlace, row: ValueRow | undefined): Stored {
  return { stored: false, current: shown(place, row) }
}

/** For what the database has just written, or has locked. */
function certain<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new TypeError('The database did not answer with the value that it stored.')
  return value
}

function sumText({ namespace, key }: ValuePlace, { text }: ValueRow, amount: number): string {
  const known: unknown = JSON.parse(text)
  if (typeof known !== 'number') throw notANumber(namespace, key)
  return JSON.stringify(checkedAmount(known + amount))
}
