import { DataSource, type EntityManager, EntitySchema } from 'typeorm'
import { typeormStore } from '../../src/store/postgres/typeorm-store.ts'
import { type OpenClient, openWindow } from './client-under-test.ts'

export const open: OpenClient<EntityManager> = async ({ url, schema }) => {
  const effects = new EntitySchema<{ id: number; eventId: string }>({
    name: 'Effect',
    tableName: 'client_effects',
    schema,
    columns: {
      id: { type: Number, primary: true, generated: true },
      eventId: { type: String, name: 'event_id' },
    },
  })
  const dataSource = await new DataSource({
    type: 'postgres',
    url,
    entities: [effects],
    installExtensions: false,
  }).initialize()
  const window = await openWindow(url)
  return {
    store: typeormStore(dataSource, { schema }),
    insert: async (tx, eventId) => await tx.save(effects, { eventId }),
    insertLater: (tx, eventId) => {
      const query = tx.createQueryBuilder().insert().into(effects).values({ eventId })
      return () => query.execute()
    },
    execute: async (tx, text) => await tx.query(text),
    nested: (tx, work) => tx.transaction(work),
    commit: async (tx) => await tx.queryRunner?.commitTransaction(),
    query: window.query,
    close: async () => {
      await dataSource.destroy()
      await window.close()
    },
  }
}
