import { type StoreTemplate, searchPathOption } from '../store-template.ts'
import { drizzle } from './drizzle.ts'

export const drizzlePostgresJs: StoreTemplate = {
  title: 'Drizzle over postgres.js',
  packages: ['drizzle-orm', 'postgres'],
  developmentPackages: () => ['pg'],
  inbox: () => ({
    imports: [
      `import { drizzle } from 'drizzle-orm/postgres-js'`,
      `import { drizzleStore } from 'oncehook/drizzle'`,
      `import postgres from 'postgres'`,
    ],
    opening: [`const database = drizzle(postgres(process.env.DATABASE_URL ?? '')) // or import yours`],
    store: 'drizzleStore(database)',
  }),
  handlers: (place) => {
    const over = drizzle.handlers(place)
    return {
      ...over,
      imports: over.imports.map((line) =>
        line.replace('NodePgDatabase', 'PostgresJsDatabase').replace('node-postgres', 'postgres-js'),
      ),
      transaction: over.transaction.replace('NodePgDatabase', 'PostgresJsDatabase'),
    }
  },
  test: ({ style }) => ({
    imports: [
      `import { drizzle } from 'drizzle-orm/postgres-js'`,
      `import { drizzleStore } from 'oncehook/drizzle'`,
      `import postgres from 'postgres'`,
    ],
    variable: `let sql${style.typed(': postgres.Sql')}`,
    open: `sql = postgres(url, { connection: { search_path: \`${searchPathOption.replace('-c search_path=', '')}\` } })`,
    parameters: '{ schema }',
    store: 'drizzleStore(drizzle(sql), { schema })',
    close: 'await sql.end()',
  }),
}
