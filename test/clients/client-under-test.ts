import type { Store } from '../../src/store/store.ts'

/** Where a client finds its database: a server, or a directory for the one that needs none. */
export type Place = { readonly url: string; readonly schema: string; readonly directory: string }

/** A store by way of a library, and what a user of that library does with the transaction. */
export type ClientUnderTest<Tx> = {
  readonly store: Store<Tx>
  /** Writes one effect in the library's own way. */
  readonly insert: (tx: Tx, eventId: string) => Promise<unknown>
  /** The same, built now and sent when it is called. Undefined if the library sends at once. */
  readonly insertLater?: (tx: Tx, eventId: string) => () => Promise<unknown>
  readonly execute: (tx: Tx, text: string) => Promise<unknown>
  /** A nested transaction in the library's own way. Undefined if it has none but statements. */
  readonly nested?: (tx: Tx, work: (inner: Tx) => Promise<unknown>) => Promise<unknown>
  /** Whether a failed statement is only forgiven in a nested transaction of the library's own. */
  readonly forgivesOnlyNested?: true
  /** Ends the transaction in the library's own way. */
  readonly commit: (tx: Tx) => Promise<unknown>
  /** Looks at rows behind the store's back. */
  readonly query: <Row = Record<string, unknown>>(text: string) => Promise<readonly Row[]>
  readonly close: () => Promise<void>
}

export type OpenClient<Tx> = (place: Place) => Promise<ClientUnderTest<Tx>>

/** Statements of another program, on a connection of its own. */
export async function openWindow(url: string): Promise<Pick<ClientUnderTest<unknown>, 'query' | 'close'>> {
  const { Pool } = await import('pg')
  const pool = new Pool({ connectionString: url, max: 1 })
  return {
    query: async <Row>(text: string) => (await pool.query(text)).rows as Row[],
    close: () => pool.end(),
  }
}
