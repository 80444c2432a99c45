import { createDatastore, type Datastore } from './datastore/datastore.ts'
import { repeatOnConflict } from './effects/processing.ts'
import type { Store } from './store/store.ts'

/** The datastore outside of handlers: each change in a transaction of its own. */
export function createDatastoreView<Tx>(store: Store<Tx>, environment: string, ready: () => Promise<void>): Datastore {
  const { datastore } = store
  const whenReady =
    <Given extends readonly unknown[], Result>(verb: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      await ready()
      return verb(...given)
    }
  return createDatastore({
    environment,
    verbs: {
      read: whenReady(datastore.read),
      write: whenReady(datastore.write),
      remove: whenReady(datastore.remove),
      page: whenReady(datastore.page),
      namespaces: whenReady(datastore.namespaces),
    },
    atomically: whenReady((work) =>
      repeatOnConflict(() => store.transaction(({ effects }) => work(effects().datastore))),
    ),
  })
}
