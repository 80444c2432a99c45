import type {
  DatastoreStore,
  DatastoreTransaction,
  DatastoreVerbs,
  ValuePlace,
  ValueRow,
} from '../store/datastore-store.ts'
import type { KeyRing, NamedKey } from './key-ring.ts'
import { keyIdOfText, nameOfValue, openText, sealText, valueContext } from './sealed-text.ts'

/** The datastore with values encrypted; namespaces, keys and times are not. What was written in the clear is still read. */
export function encryptedDatastore(datastore: DatastoreStore, keys: KeyRing): DatastoreStore {
  return { ...datastore, ...encryptedVerbs(datastore, keys, () => keys.current()) }
}

/** The same inside a transaction, which must not wait for the key it writes with. */
export function encryptedDatastoreTransaction(
  datastore: DatastoreTransaction,
  key: NamedKey,
  keys: KeyRing,
): DatastoreTransaction {
  return {
    ...encryptedVerbs(datastore, keys, async () => key),
    lock: async (place) => opened(keys, place, await datastore.lock(place)),
  }
}

function encryptedVerbs(verbs: DatastoreVerbs, keys: KeyRing, currentKey: () => Promise<NamedKey>): DatastoreVerbs {
  return {
    ...verbs,
    read: async (place) => opened(keys, place, await verbs.read(place)),
    async write(value) {
      const text = sealText(await currentKey(), value.text, valueContext(value))
      return opened(keys, value, await verbs.write({ ...value, text }))
    },
    async page(question) {
      const { rows, isLast } = await verbs.page(question)
      const plain = await Promise.all(rows.map((row) => opened(keys, { ...question, key: row.key }, row)))
      return { rows: plain, isLast }
    },
  }
}

async function opened<Row extends ValueRow | undefined>(keys: KeyRing, place: ValuePlace, row: Row): Promise<Row> {
  const keyId = row === undefined ? undefined : keyIdOfText(row.text)
  if (row === undefined || keyId === undefined) return row
  const what = { name: nameOfValue(place.namespace, place.key), context: valueContext(place) }
  return { ...row, text: openText(await keys.find(keyId), row.text, what) }
}
