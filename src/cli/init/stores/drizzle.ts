import type { StoreTemplate } from '../store-template.ts'

export const drizzle: StoreTemplate = {
  title: 'Drizzle over pg',
  packages: ['drizzle-orm', 'pg'],
  developmentPackages: ({ isTypeScript }) => (isTypeScript ? ['@types/pg'] : []),
  inbox: () => ({
    imports: [
      `import { drizzle } from 'drizzle-orm/node-postgres'`,
      `import { drizzleStore } from 'oncehook/drizzle'`,
      `import { Pool } from 'pg'`,
    ],
    opening: ['const database = drizzle(new Pool({ connectionString: process.env.DATABASE_URL })) // or import yours'],
    store: 'drizzleStore(database)',
  }),
  handlers: ({ style }) => ({
    imports: [
      style.typed(`import type { NodePgDatabase } from 'drizzle-orm/node-postgres'`),
      `import { pgTable, text } from 'drizzle-orm/pg-core'`,
    ].filter((line) => line !== ''),
    declarations: [
      `const webhookEffects = pgTable('webhook_effects', { eventId: text('event_id').notNull(), type: text().notNull() })`,
    ],
    transaction: `Parameters<Parameters<NodePgDatabase['transaction']>[0]>[0]`,
    insert: 'await tx.insert(webhookEffects).values({ eventId: event.id, type: event.type })',
  }),
  test: ({ style }) => ({
    imports: [
      `import { drizzle } from 'drizzle-orm/node-postgres'`,
      `import { drizzleStore } from 'oncehook/drizzle'`,
      ...(style.isTypeScript ? [`import type { Pool } from 'pg'`] : []),
    ],
    parameters: '{ pool, schema }',
    store: `drizzleStore(drizzle(pool${style.typed(' as Pool')}), { schema })`,
  }),
}
