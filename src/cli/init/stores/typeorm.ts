import { type StoreTemplate, searchPathOption } from '../store-template.ts'

export const typeorm: StoreTemplate = {
  title: 'TypeORM',
  packages: ['typeorm', 'pg'],
  inbox: () => ({
    imports: [`import { typeormStore } from 'oncehook/typeorm'`, `import { DataSource } from 'typeorm'`],
    opening: [
      `const dataSource = new DataSource({ type: 'postgres', url: process.env.DATABASE_URL ?? '' }) // or import yours`,
    ],
    store: 'typeormStore(dataSource)',
    beforeStart: 'if (!dataSource.isInitialized) await dataSource.initialize()',
  }),
  handlers: () => ({
    imports: [`import type { EntityManager } from 'typeorm'`],
    transaction: 'EntityManager',
    insert: `await tx.query('insert into webhook_effects (event_id, type) values ($1, $2)', [event.id, event.type])`,
  }),
  test: ({ style }) => ({
    imports: [`import { typeormStore } from 'oncehook/typeorm'`, `import { DataSource } from 'typeorm'`],
    variable: `let dataSource${style.typed(': DataSource')}`,
    open: `dataSource = await new DataSource({ type: 'postgres', url, extra: { options: \`${searchPathOption}\` } }).initialize()`,
    parameters: '{ schema }',
    store: 'typeormStore(dataSource, { schema })',
    close: 'await dataSource.destroy()',
  }),
}
