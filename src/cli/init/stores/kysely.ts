import type { StoreTemplate } from '../store-template.ts'

export const kysely: StoreTemplate = {
  title: 'Kysely over pg',
  packages: ['kysely', 'pg'],
  developmentPackages: ({ isTypeScript }) => (isTypeScript ? ['@types/pg'] : []),
  inbox: ({ style }) => ({
    imports: [
      `import { Kysely, PostgresDialect } from 'kysely'`,
      `import { kyselyStore } from 'oncehook/kysely'`,
      `import { Pool } from 'pg'`,
      ...(style.isTypeScript ? [`import type { Tables } from '${style.from('./handlers')}'`] : []),
    ],
    opening: [
      'const pool = new Pool({ connectionString: process.env.DATABASE_URL })',
      `const database = new Kysely${style.typed('<Tables>')}({ dialect: new PostgresDialect({ pool }) }) // or import yours`,
    ],
    store: 'kyselyStore(database)',
  }),
  handlers: ({ style }) => ({
    imports: [`import type { Transaction } from 'kysely'`],
    ...(style.isTypeScript && {
      declarations: ['export type Tables = { readonly webhook_effects: { event_id: string; type: string } }'],
    }),
    transaction: 'Transaction<Tables>',
    insert: `await tx.insertInto('webhook_effects').values({ event_id: event.id, type: event.type }).execute()`,
  }),
  test: ({ style }) => ({
    imports: [
      `import { Kysely, PostgresDialect } from 'kysely'`,
      `import { kyselyStore } from 'oncehook/kysely'`,
      ...(style.isTypeScript ? [`import type { Pool } from 'pg'`] : []),
    ],
    parameters: '{ pool, schema }',
    store: `kyselyStore(new Kysely${style.typed('<Tables>')}({ dialect: new PostgresDialect({ pool${style.typed(': pool as Pool')} }) }), { schema })`,
  }),
}
