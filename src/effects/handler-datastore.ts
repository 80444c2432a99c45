import { createDatastore, type Datastore, type Stored } from '../datastore/datastore.ts'
import type { DatastoreTransaction } from '../store/datastore-store.ts'

/** What became of a value of the datastore. */
export type ValueNote = {
  readonly kind: 'value'
  readonly namespace: string
  readonly key: string
  readonly outcome: 'stored' | 'kept' | 'deleted'
}

export type HandlerDatastoreParts = {
  readonly environment: string
  /** Watches over what is asked for: it must be awaited, and a failure must not be passed over. */
  readonly track: <Result>(effect: string, work: () => Promise<Result>) => Promise<Result>
  readonly notes: { readonly push: (note: ValueNote) => unknown }
}

type ValueOutcome = ValueNote['outcome']

/** The datastore in a handler's own transaction. */
export function createHandlerDatastore(
  transaction: DatastoreTransaction,
  { environment, track, notes }: HandlerDatastoreParts,
): Datastore {
  const datastore = createDatastore({ environment, verbs: transaction, atomically: (work) => work(transaction) })
  const changing = async <Result>(
    [namespace, key]: readonly [string, string],
    work: () => Promise<Result>,
    outcomeOf: (result: Result) => ValueOutcome,
  ): Promise<Result> => {
    const result = await track(`change of "${key}" in the datastore`, work)
    notes.push({ kind: 'value', namespace, key, outcome: outcomeOf(result) })
    return result
  }
  const outcomeOfStored = ({ stored }: Stored): ValueOutcome => (stored ? 'stored' : 'kept')

  return {
    get: (namespace, key) => track('reading of the datastore', () => datastore.get(namespace, key)),
    list: (namespace, options) => track('reading of the datastore', () => datastore.list(namespace, options)),
    namespaces: (options) => track('reading of the datastore', () => datastore.namespaces(options)),
    set: (namespace, key, value, options) =>
      changing(
        [namespace, key],
        () => datastore.set(namespace, key, value, options),
        () => 'stored',
      ),
    setIfAbsent: (namespace, key, value, options) =>
      changing([namespace, key], () => datastore.setIfAbsent(namespace, key, value, options), outcomeOfStored),
    compareAndSet: (namespace, key, change) =>
      changing([namespace, key], () => datastore.compareAndSet(namespace, key, change), outcomeOfStored),
    increment: (namespace, key, options) =>
      changing(
        [namespace, key],
        () => datastore.increment(namespace, key, options),
        () => 'stored',
      ),
    delete: (namespace, key, options) =>
      changing(
        [namespace, key],
        () => datastore.delete(namespace, key, options),
        (isDeleted) => (isDeleted ? 'deleted' : 'kept'),
      ),
  }
}
