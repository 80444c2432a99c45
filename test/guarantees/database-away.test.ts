import { Pool } from 'pg'
import { describe, expect, test } from 'vitest'
import { createInbox } from '../../src/index.ts'
import { stripe } from '../../src/providers/stripe.ts'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { startPostgresServer } from '../support/postgres-server.ts'
import { until } from '../support/until.ts'

const source = stripe({ secret: 'whsec_0123456789abcdef0123456789abcdef' })

function request(id: string): Request {
  const { headers, body } = source.sign({ id }, new Date())
  const list = [...headers].map(([name, [value = '']]): [string, string] => [name, value])
  return new Request('http://localhost/in/stripe', { method: 'POST', headers: list, body: Buffer.from(body) })
}

describe.each(['inline', 'queued'] as const)('a database that is killed and comes back, %s', (mode) => {
  test('means 503 with Retry-After meanwhile, and then everything goes on by itself', async () => {
    const server = await startPostgresServer()
    const pool = new Pool({ connectionString: server.url, max: 5 })
    const store = postgresStore(pool, { connectionTimeoutSeconds: 2 })
    const inbox = createInbox({
      store,
      sources: { stripe: source },
      mode,
      logger: { info() {}, warn() {}, error() {} },
    })
    inbox.on('stripe', '*', async (event, { tx }) => {
      await tx.query('insert into effects (event_id) values ($1)', [event.id])
    })
    await pool.query('create table effects (event_id text)')
    await inbox.start()
    const handle = inbox.handler('stripe')
    const send = async (id: string): Promise<number> => (await handle(request(id))).status
    try {
      const before = await send('evt_before')
      await until(
        () => inbox.receipts.find({ status: 'processed' }),
        (receipts) => receipts.length === 1,
      )

      const ledgerName = await store.ledgerName()

      await server.kill()
      const meanwhile = await handle(request('evt_meanwhile'))
      await server.restart()
      const after = await until(
        () => send('evt_meanwhile'),
        (status) => status < 300,
      )
      await until(
        () => inbox.receipts.find({ status: 'processed' }),
        (receipts) => receipts.length === 2,
      )

      expect([before, after]).toEqual(mode === 'inline' ? [200, 200] : [202, 202])
      expect(meanwhile.status).toBe(503)
      // It could have been restored to an older state, so what was remembered of it no longer counts.
      expect(await store.ledgerName()).not.toBe(ledgerName)
      expect(Number(meanwhile.headers.get('retry-after'))).toBeGreaterThan(0)
      const { rows } = await pool.query('select event_id from effects order by event_id')
      expect(rows).toEqual([{ event_id: 'evt_before' }, { event_id: 'evt_meanwhile' }])
    } finally {
      await inbox.stop({ graceSeconds: 0 })
      await store.close()
      await pool.end()
      await server.stop()
    }
  })
})
