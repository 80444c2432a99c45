import type { Store } from '../index.ts'
import { pgliteStore } from '../store/pglite/pglite-store.ts'
import { postgresStore } from '../store/postgres/postgres-store.ts'
import { wrongUsage } from './failure.ts'
import type { Home } from './home.ts'

/** What the transactions of every store have in common. */
export type SqlTransaction = {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly unknown[] }>
}

/** Which database a command works on. */
export type StoreChoice =
  | { readonly kind: 'postgres'; readonly url: string; readonly schema: string | undefined }
  | { readonly kind: 'embedded'; readonly folder: string; readonly schema: string | undefined }

/** What was asked for by option, then by environment, then the embedded one beside the project. */
export function chooseStore(
  values: { readonly database?: string | undefined; readonly schema?: string | undefined },
  environment: Readonly<Record<string, string | undefined>>,
  home: Home,
): StoreChoice {
  const { schema } = values
  const url = values.database ?? environment['DATABASE_URL']
  if (url === undefined || url === '') return { kind: 'embedded', folder: home.data, schema }
  // The address may hold a password, so it is not repeated.
  if (!/^postgres(ql)?:\/\//.test(url)) {
    const origin = values.database === undefined ? 'DATABASE_URL' : '--database'
    throw wrongUsage(`${origin} is not the address of a PostgreSQL database: it has to start with postgres://.`)
  }
  return { kind: 'postgres', url, schema }
}

/** Nothing is opened before the first use. */
export function openStore(choice: StoreChoice): Store<SqlTransaction> {
  const options = choice.schema === undefined ? {} : { schema: choice.schema }
  return choice.kind === 'postgres' ? postgresStore(choice.url, options) : pgliteStore(choice.folder, options)
}
