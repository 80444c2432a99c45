import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { Pool } from 'pg'
import { describe, expect } from 'vitest'
import { shadowMiddleware } from '../../src/adapters/node-http.ts'
import { createInbox, type Inbox, type Provider } from '../../src/index.ts'
import { stripe } from '../../src/providers/stripe.ts'
import { type PgTransaction, postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { codeOf } from '../store/store-under-test.ts'
import { test } from '../support/inbox.ts'
import { until } from '../support/until.ts'
import { requestOf } from './shadow-support.ts'

type StripeInbox = Inbox<PgTransaction, { readonly stripe: Provider }>

/** An inbox on a database that is not there, or does not speak. */
function inboxOn(
  port: number,
  secret: Parameters<typeof stripe>[0]['secret'] = 'whsec_0123456789abcdef0123456789abcdef',
): { readonly inbox: StripeInbox; readonly pool: Pool; readonly told: readonly string[] } {
  const pool = new Pool({ connectionString: `postgres://nobody@127.0.0.1:${port}/nowhere` })
  const told: string[] = []
  const source: Provider = stripe({ secret })
  const inbox = createInbox({
    store: postgresStore(pool, { connectionTimeoutSeconds: 1 }),
    sources: { stripe: source },
    logger: { info: () => {}, warn: (_, message) => void told.push(message), error: () => {} },
  })
  return { inbox, pool, told }
}

/** Takes connections and says nothing. */
async function startMuteServer(): Promise<{ readonly port: number; readonly close: () => Promise<void> }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => void sockets.add(socket.on('error', () => {})))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

const thrown = new Error('the handler’s own')
const answered = new Response('as ever', { status: 201, headers: { 'x-own': 'yes' } })

/** Everything that a handler can do, watched: what comes out must be what went in. */
async function tryEverything(shadow: StripeInbox['shadow']): Promise<void> {
  const given: unknown[] = []
  const handler = shadow.handler('stripe', async (request, context: { readonly parameters: string }) => {
    given.push(request, context)
    if (context.parameters === 'throw') throw thrown
    if (context.parameters === 'nothing') return undefined as unknown as Response
    expect(Buffer.from(await request.arrayBuffer()).toString()).toContain('evt_')
    return answered
  })
  const requests = ['answer', 'throw', 'nothing'].map((parameters) => [requestOf('evt_1'), { parameters }] as const)
  const used = requestOf('evt_2')
  await used.text()

  const [usual, error, nothing] = await Promise.allSettled(requests.map((parts) => handler(...parts)))
  const refused = await handler(used, { parameters: 'answer' }).catch((reason: Error) => reason.name)

  expect(usual).toEqual({ status: 'fulfilled', value: answered })
  expect(usual?.status === 'fulfilled' && usual.value === answered).toBe(true)
  expect(error?.status === 'rejected' && error.reason === thrown).toBe(true)
  expect(nothing).toEqual({ status: 'fulfilled', value: undefined })
  expect(given.slice(0, 6).every((part, place) => part === requests[Math.floor(place / 2)]?.[place % 2])).toBe(true)
  expect(refused).toBe('TypeError')
}

describe('a handler that is watched', () => {
  test('is not disturbed by a database that is not there, which is said once', async () => {
    const { inbox, pool, told } = inboxOn(1)

    await tryEverything(inbox.shadow)
    await inbox.shadow.flush()
    await inbox.shadow.flush()
    await inbox.stop()

    expect(told).toEqual(['What was seen of the handler beside could not be written.'])
    await pool.end()
  })

  test('is not disturbed by a database that takes for ever', async () => {
    const server = await startMuteServer()
    const { inbox, pool } = inboxOn(server.port)

    await tryEverything(inbox.shadow)
    const flushed = inbox.shadow.flush()
    await tryEverything(inbox.shadow)

    await server.close()
    await flushed
    await pool.end()
  })

  test('is not disturbed by secrets that cannot be had', async () => {
    const { inbox, pool, told } = inboxOn(1, () => Promise.reject(new Error('the vault is closed')))

    await tryEverything(inbox.shadow)
    await inbox.shadow.flush()

    expect(told).toEqual(['What was seen of the handler beside could not be written.'])
    await pool.end()
  })

  test('is not disturbed by a database that is full, and what was seen is written when there is room', async ({
    database: { schema, query },
    makeInbox,
  }) => {
    const inbox = makeInbox()
    await inbox.migrate()
    await query(`create function "${schema}".refuse() returns trigger language plpgsql
      as $$ begin raise exception 'No space left on device' using errcode = 'disk_full'; end $$`)
    const tables = ['shadow_calls', 'receipts']
    for (const table of tables) {
      await query(
        `create trigger full_disk before insert on "${schema}".${table} execute function "${schema}".refuse()`,
      )
    }

    await tryEverything(inbox.shadow)
    await inbox.shadow.flush()
    const whileFull = await query(`select id from "${schema}".shadow_calls`)
    for (const table of tables) await query(`drop trigger full_disk on "${schema}".${table}`)
    await inbox.shadow.flush()

    expect(whileFull).toEqual([])
    expect(await query(`select verdict, ending, status::int from "${schema}".shadow_calls order by 1, 2, 3`)).toEqual([
      { verdict: 'authentic', ending: 'answered', status: 201 },
      { verdict: 'authentic', ending: 'answered', status: null },
      { verdict: 'authentic', ending: 'failed', status: null },
      { verdict: 'unread', ending: 'failed', status: null },
    ])
    expect(await inbox.receipts.find()).toMatchObject([{ eventId: 'evt_1', origin: 'shadow', status: 'processed' }])
  })

  test('costs no more than so much memory: what comes beyond is counted', async ({ makeInbox }) => {
    const inbox = makeInbox()
    await inbox.migrate()

    const calls = Array.from({ length: 5003 }, () => inbox.shadow.begin('stripe'))
    for (const call of calls) call.ended({ ending: 'answered', status: 200 })
    for (const call of calls) call.delivered(undefined)
    const report = await until(
      () => inbox.shadow.report({ source: 'stripe' }),
      ({ unread }) => unread === 5000,
    )

    expect(report).toMatchObject({ deliveries: 5000, missed: 3, events: 0 })
  })

  test('is asked at the start whether there is such a source', async ({ makeInbox }) => {
    const inbox = makeInbox()

    expect(() => inbox.shadow.handler('strpe' as 'stripe', async () => new Response())).toThrow(
      'there is no source "strpe" in the inbox',
    )
    expect(() => shadowMiddleware(inbox, 'strpe')).toThrow('there is no source "strpe" in the inbox')
    expect(await codeOf(inbox.shadow.report({ source: 'strpe' }))).toBe('ONCEHOOK_INVALID_OPTIONS')
  })
})
