import { type StoreTemplate, searchPathOption } from '../store-template.ts'

export const postgresJs: StoreTemplate = {
  title: 'postgres.js',
  packages: ['postgres'],
  developmentPackages: () => ['pg'],
  inbox: () => ({
    imports: [`import { postgresJsStore } from 'oncehook/postgres-js'`, `import postgres from 'postgres'`],
    opening: [`const sql = postgres(process.env.DATABASE_URL ?? '') // or import yours`],
    store: 'postgresJsStore(sql)',
  }),
  handlers: () => ({
    imports: [`import type { TransactionSql } from 'postgres'`],
    transaction: 'TransactionSql',
    insert: 'await tx`insert into webhook_effects (event_id, type) values (${event.id}, ${event.type})`',
  }),
  test: ({ style }) => ({
    imports: [`import { postgresJsStore } from 'oncehook/postgres-js'`, `import postgres from 'postgres'`],
    variable: `let sql${style.typed(': postgres.Sql')}`,
    open: `sql = postgres(url, { connection: { search_path: \`${searchPathOption.replace('-c search_path=', '')}\` } })`,
    parameters: '{ schema }',
    store: 'postgresJsStore(sql, { schema })',
    close: 'await sql.end()',
  }),
}
