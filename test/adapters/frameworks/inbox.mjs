// The inbox behind every framework of this folder. Its effects and complaints are rows. The same is in ../conformance-inbox.ts.
import { createInbox } from 'oncehook'
import { postgresStore } from 'oncehook/postgres'
import { hmac } from 'oncehook/providers/hmac'
import { twilio } from 'oncehook/providers/twilio'
import { Pool } from 'pg'

const secret = 'a secret of thirty-two characters'
const acme = { secret, header: 'x-acme-signature', id: { header: 'x-acme-id' }, type: { header: 'x-acme-type' } }

export function openInbox({ databaseUrl, schema }) {
  const pool = new Pool({ connectionString: databaseUrl, max: 6 })
  const inbox = createInbox({
    store: postgresStore(pool, { schema }),
    sources: {
      acme: hmac({ ...acme, maximumBodyBytes: 30_000_000 }),
      small: hmac({ ...acme, maximumBodyBytes: 1000 }),
      queued: hmac({ ...acme, mode: 'queued' }),
      called: twilio({ secret }),
      proxied: twilio({ secret, publicUrl: 'https://hooks.example.com' }),
    },
    logger: { info() {}, warn() {}, error() {} },
  })
  for (const source of inbox.sources) {
    inbox.on(source, '*', async (event, { tx }) => {
      if (event.id.startsWith('held-')) await tx.query('select pg_advisory_xact_lock(hashtext($1))', [schema])
      await tx.query(`insert into "${schema}".app_effects values ($1)`, [event.id])
    })
  }
  const complaints = []
  inbox.subscribe((told) => {
    const text = told.kind === 'notice' ? told.error : told.kind === 'delivery' ? told.detail : undefined
    if (text !== undefined) complaints.push(pool.query(`insert into "${schema}".app_complaints values ($1)`, [text]))
  })
  async function close() {
    await Promise.all(complaints)
    await inbox.close()
    await pool.end()
  }
  return { ...inbox, close }
}

let shared

/** One for the process: a framework may load a route more than once. */
export function inboxOfProcess() {
  const { DATABASE_URL: databaseUrl = 'postgres://localhost/none', SCHEMA: schema = 'none' } = globalThis.process.env
  shared ??= openInbox({ databaseUrl, schema })
  return shared
}
