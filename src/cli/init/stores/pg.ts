import type { StoreTemplate } from '../store-template.ts'

export const pg: StoreTemplate = {
  title: 'pg',
  packages: ['pg'],
  // The test has a database in memory where there is no DATABASE_URL.
  developmentPackages: () => ['@electric-sql/pglite'],
  inbox: () => ({
    imports: [`import { postgresStore } from 'oncehook/postgres'`],
    store: `postgresStore(process.env.DATABASE_URL ?? '')`,
  }),
  handlers: () => ({
    imports: [`import type { PgTransaction } from 'oncehook/postgres'`],
    transaction: 'PgTransaction',
    insert: `await tx.query('insert into webhook_effects (event_id, type) values ($1, $2)', [event.id, event.type])`,
  }),
}
