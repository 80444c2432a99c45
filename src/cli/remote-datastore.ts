import type { Datastore, DatastoreValue } from '../index.ts'

/** A call of the datastore whose values go as text: what is in them is nobody's business on the way. */
export type CallDatastore = (verb: keyof Datastore, given: string) => Promise<string>

/** Answers calls that come from another process. */
export function datastoreCalls(datastore: Datastore): CallDatastore {
  return async (verb, given) => {
    const call = datastore[verb] as (...given: readonly unknown[]) => Promise<unknown>
    return JSON.stringify({ result: await call(...(JSON.parse(given) as readonly unknown[])) })
  }
}

/** A datastore behind such calls. */
export function datastoreThrough(call: CallDatastore): Datastore {
  const ask =
    (verb: keyof Datastore) =>
    async (...given: readonly unknown[]): Promise<never> => {
      const { result } = JSON.parse(await call(verb, JSON.stringify(given))) as { readonly result?: unknown }
      return withTimes(result) as never
    }
  return {
    get: ask('get'),
    set: ask('set'),
    setIfAbsent: ask('setIfAbsent'),
    compareAndSet: ask('compareAndSet'),
    increment: ask('increment'),
    delete: ask('delete'),
    list: ask('list'),
    namespaces: ask('namespaces'),
  }
}

/** Only where values themselves stand, never inside of them. */
function withTimes(result: unknown): unknown {
  if (typeof result !== 'object' || result === null) return result
  if ('version' in result) return timed(result as Written)
  if ('current' in result) return { ...result, current: timed(result.current as Written) }
  if ('items' in result) return { ...result, items: (result.items as readonly object[]).map(withTimes) }
  return result
}

type Written = Omit<DatastoreValue, 'expiresAt' | 'updatedAt'> & {
  readonly expiresAt?: string
  readonly updatedAt: string
}

function timed({ expiresAt, updatedAt, ...value }: Written): DatastoreValue {
  const until = expiresAt === undefined ? undefined : new Date(expiresAt)
  return { ...value, expiresAt: until, updatedAt: new Date(updatedAt) }
}
