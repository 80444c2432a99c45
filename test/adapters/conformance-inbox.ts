import { Pool } from 'pg'
import type { Door } from '../../src/delivery/door.ts'
import { createInbox } from '../../src/index.ts'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { conformanceSources } from './conformance-sources.ts'

export type Place = { readonly databaseUrl: string; readonly schema: string }

export type ConformanceInbox = { readonly door: Door; readonly end: () => Promise<void> }

/** The inbox behind every framework that runs in this process. Its effects and complaints are rows. */
export function openConformanceInbox({ databaseUrl, schema }: Place): ConformanceInbox {
  const pool = new Pool({ connectionString: databaseUrl, max: 6, allowExitOnIdle: true })
  const inbox = createInbox({
    store: postgresStore(pool, { schema }),
    sources: conformanceSources,
    logger: { info: () => {}, warn: () => {}, error: () => {} },
  })
  for (const source of inbox.sources) {
    inbox.on(source, '*', async (event, { tx }) => {
      if (event.id.startsWith('held-')) await tx.query('select pg_advisory_xact_lock(hashtext($1))', [schema])
      await tx.query(`insert into "${schema}".app_effects values ($1)`, [event.id])
    })
  }
  const complaints: Promise<unknown>[] = []
  inbox.subscribe((told) => {
    const text = told.kind === 'notice' ? told.error : told.kind === 'delivery' ? told.detail : undefined
    if (text !== undefined) complaints.push(pool.query(`insert into "${schema}".app_complaints values ($1)`, [text]))
  })
  return {
    door: inbox.door,
    async end() {
      await Promise.all(complaints)
      await inbox.close()
      await pool.end()
    },
  }
}
