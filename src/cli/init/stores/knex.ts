import { type StoreTemplate, searchPathOption } from '../store-template.ts'

export const knex: StoreTemplate = {
  title: 'Knex',
  packages: ['knex', 'pg'],
  inbox: () => ({
    imports: [`import knex from 'knex'`, `import { knexStore } from 'oncehook/knex'`],
    opening: [`const database = knex({ client: 'pg', connection: process.env.DATABASE_URL ?? '' }) // or import yours`],
    store: 'knexStore(database)',
  }),
  handlers: () => ({
    imports: [`import type { Knex } from 'knex'`],
    transaction: 'Knex.Transaction',
    insert: `await tx('webhook_effects').insert({ event_id: event.id, type: event.type })`,
  }),
  test: ({ style }) => ({
    imports: [
      style.isTypeScript ? `import knex, { type Knex } from 'knex'` : `import knex from 'knex'`,
      `import { knexStore } from 'oncehook/knex'`,
    ],
    variable: `let database${style.typed(': Knex')}`,
    open: `database = knex({ client: 'pg', connection: { connectionString: url, options: \`${searchPathOption}\` } })`,
    parameters: '{ schema }',
    store: 'knexStore(database, { schema })',
    close: 'await database.destroy()',
  }),
}
