import type { StoreTemplate } from '../store-template.ts'
import { pg } from './pg.ts'

export const pglite: StoreTemplate = {
  title: 'PGlite, a database in a folder',
  packages: ['@electric-sql/pglite'],
  inbox: () => ({
    imports: [`import { readFile } from 'node:fs/promises'`, `import { pgliteStore } from 'oncehook/pglite'`],
    opening: [`const store = pgliteStore(process.env.DATABASE_FOLDER ?? './data')`],
    store: 'store',
    beforeStart: `await store.database().exec(await readFile('migrations/webhooks.sql', 'utf8')) // in your app this is a migration`,
  }),
  handlers: (place) => ({
    ...pg.handlers(place),
    imports: [`import type { PGliteTransaction } from 'oncehook/pglite'`],
    transaction: 'PGliteTransaction',
  }),
  test: ({ style }) => ({
    imports: [`import { pgliteStore } from 'oncehook/pglite'`],
    parameters: '{ pglite, schema }',
    store: `pgliteStore(pglite${style.typed(` ?? 'memory://'`)}, { schema })`,
    isInMemory: true,
  }),
}
