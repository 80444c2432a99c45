import { once } from 'node:events'
import { describe, expect } from 'vitest'
import { type AlertMessage, createInbox, defineProvider, token } from '../../src/index.ts'
import { standardWebhooks } from '../../src/providers/standard-webhooks.ts'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { http } from '../../src/targets/http.ts'
import type { AlertAppOptions } from '../support/alert-app.ts'
import { forkProgram } from '../support/compiled.ts'
import { createCountedStore } from '../support/counted-store.ts'
import type { TestDatabase } from '../support/database.ts'
import { stripeDelivery } from '../support/inbox.ts'
import { until } from '../support/until.ts'
import { test as base, episodes, evaluator, leaseOf } from '../support/watched-inbox.ts'
import { type HttpReceiver, type ReceivedRequest, startHttpReceiver } from '../targets/http-receiver.ts'

const secret = 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE='

type Fixtures = {
  readonly receiver: HttpReceiver
  /** An app that watches, which is killed after the test. */
  readonly startApp: (options?: Partial<AlertAppOptions>) => Promise<StartedApp>
}

const test = base.extend<Fixtures>({
  startApp: async ({ database, receiver }, use) => {
    const started: StartedApp[] = []
    await use(async (options = {}) => {
      const { url: databaseUrl, schema } = database
      const app = await start({ databaseUrl, schema, url: receiver.url, secret, ...options })
      started.push(app)
      return app
    })
    for (const app of started) app.kill()
    await Promise.all(started.map(({ ended }) => ended))
  },
  receiver: async ({}, use) => {
    const receiver = await startHttpReceiver()
    await use(receiver)
    await receiver.close()
  },
})

describe('alerts arrive', () => {
  test('by HTTP with a signature, and in the words of Slack', async ({ watched, receiver }) => {
    const reach = { allowPrivateAddresses: true } as const
    const inbox = await watched({
      mode: 'queued',
      targets: {
        web: http({ url: `${receiver.url}/web`, secret, ...reach }),
        slack: http({ url: `${receiver.url}/slack`, ...reach }),
      },
      alerts: { to: ['web', { target: 'slack', format: 'slack' }] },
    })
    inbox.on('stripe', '*', () => {
      throw new Error('<boom> & more')
    })
    await inbox.receive('stripe', stripeDelivery('evt_1'))
    for (let attempt = 0; attempt < 12; attempt += 1) await inbox.drain()

    await inbox.look()

    const [web, slack] = ['/web', '/slack'].map((path) => receiver.requests.find((request) => request.path === path))
    expect(receiver.requests).toHaveLength(2)
    expect(verdictOn(web)).toBe('authentic')
    const message = JSON.parse(web?.body ?? '{}') as AlertMessage
    expect(message).toMatchObject({ type: 'alert.opened', data: { rule: 'deadLetters', source: 'stripe' } })
    expect(web?.headers['idempotency-key']).toBe(`alert-${message.data.id}-opened`)
    expect(JSON.parse(slack?.body ?? '{}')).toEqual({
      text: expect.stringMatching(/^🔴 New dead letters of stripe\. 1 event of stripe failed for good/),
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: '🔴 New dead letters of stripe', emoji: true } },
        { type: 'section', text: { type: 'mrkdwn', text: message.data.text } },
        { type: 'section', text: { type: 'mrkdwn', text: expect.stringContaining('*What to do:* See why') } },
        {
          type: 'context',
          elements: [{ type: 'mrkdwn', text: expect.stringContaining('deadLetters · stripe · default') }],
        },
      ],
    })
    expect(`${web?.body}${slack?.body}`).not.toContain('boom')
  })

  test('when answers take nearly as long as the provider waits', async ({ database, receiver }) => {
    // It waits for a hundredth of a millisecond, so that every answer comes too late.
    const hasty = defineProvider({
      name: 'hasty',
      scheme: token({ header: 'x-token' }),
      identify: () => ({ id: String(receiver.requests.length), type: 'tick' }),
      deadlineSeconds: 0.000_01,
    })({ secret: 'a-token-of-sixteen' })
    const store = postgresStore(database.url, { schema: database.schema })
    const alerts = { to: 'ops', rules: { duplicates: false } } as const
    const inbox = createInbox({
      store,
      sources: { hasty },
      targets: { ops: http({ url: receiver.url, allowPrivateAddresses: true }) },
      alerts,
      logger: { info: () => {}, warn: () => {}, error: () => {} },
    })
    inbox.on('hasty', '*', () => {})
    const evaluate = evaluator(store, new Map([['hasty', hasty]]), alerts)
    await inbox.migrate()
    await evaluate()
    for (let number = 0; number < 30; number += 1) await inbox.receive('hasty', hasty.sign({}, new Date()))
    await inbox.drain()

    await evaluate()
    await evaluate()
    await inbox.drain()
    await inbox.close()

    expect(receiver.requests.map(({ body }) => (JSON.parse(body) as AlertMessage).data)).toMatchObject([
      { rule: 'deadline', source: 'hasty', figures: { near: 30, late: 30, answered: 30 } },
    ])
  })
})

describe('processes that watch together', () => {
  test('tell once and resolve once, although the leaders are killed in between', async ({
    database,
    receiver,
    startApp,
  }) => {
    const { query, schema } = database
    await postgresStore(database.pool, { schema }).migrate()
    await query(
      `insert into "${schema}".queue (receipt_id, environment, source, due_at) values (1, 'default', 'stripe', now() - interval '10 minutes')`,
    )

    expect(await (await startApp({ killAt: 'before_change' })).ended).toBe('SIGKILL')
    expect(await episodes(database)).toEqual([])
    expect(await (await startApp({ killAt: 'after_change' })).ended).toBe('SIGKILL')
    expect(await episodes(database)).toEqual([{ rule: 'lag', source: '*', is_open: true }])
    const [first] = await Promise.all([startApp(), startApp()])
    await until(
      () => typesOf(receiver),
      (types) => types.length > 0,
    )
    // A message whose sender is killed before it has marked it is sent again, with the same key.
    await until(
      () => query(`select from "${schema}".outbox where status <> 'published'`),
      (unsent) => unsent.length === 0,
    )
    await query(`delete from "${schema}".queue`)
    first?.kill()
    await until(
      async () => {
        await query(`update "${schema}".alerts set last_seen_at = now() - interval '1 hour' where resolved_at is null`)
        return typesOf(receiver)
      },
      (types) => types.includes('alert.resolved'),
    )
    const evaluatedAt = await evaluations(database)
    await until(
      () => evaluations(database),
      (at) => at > evaluatedAt,
    )

    expect(typesOf(receiver)).toEqual(['alert.opened', 'alert.resolved'])
    expect(receiver.requests.map(verdictOn)).toEqual(['authentic', 'authentic'])
    expect(await episodes(database)).toEqual([{ rule: 'lag', source: '*', is_open: false }])
  })
})

describe('looking', () => {
  test('costs what is new, however long the ledger is', async ({ database }) => {
    const { query, schema } = database
    const { store, pagesRead, close } = createCountedStore(database)
    await store.migrate()
    const lease = await leaseOf(store)
    const insert = (from: number, to: number): Promise<unknown> =>
      query(
        `insert into "${schema}".receipts (environment, source, event_id, type, status, body_hash, body_id, failed_at)
         select 'default', 'stripe', 'evt_' || number, 'a', 'processed', '', gen_random_uuid(),
           case when number % 1000 = 0 then now() - interval '2 days' end
         from generate_series($1::int, $2::int) as number`,
        [from, to],
      )
    // Else the figures would have its reads in them too.
    await query(`alter table "${schema}".receipts set (autovacuum_enabled = false)`)
    await insert(1, 200_000)
    await query(`analyze "${schema}".receipts`)
    await store.alerts.countTraffic(lease)
    await insert(200_001, 201_000)
    const question = { sources: ['stripe'], quietMinutes: 30, awaySeconds: 600 }

    // The one that counts: until then other tests on the server may have transactions open, which are waited for.
    const [counting] = await until(
      async () => [
        await pagesRead('receipts', () => store.alerts.countTraffic(lease)),
        await query(`select events::int as events from "${schema}".traffic`),
      ],
      ([, rows]) => Array.isArray(rows) && rows.length > 0,
    )
    const looking = await pagesRead('receipts', () => store.alerts.situation('default', question))
    await close()

    expect(await query(`select sum(events)::int as events from "${schema}".traffic`)).toEqual([{ events: 1000 }])
    // A thousand rows lie on some thirty pages of the table, which has thousands.
    expect(counting).toBeGreaterThan(10)
    expect(counting).toBeLessThan(150)
    expect(looking).toBeLessThan(20)
  })
})

function verdictOn(request: ReceivedRequest | undefined): string {
  const headers = Object.entries(request?.headers ?? {}).map(([name, value]): [string, string] => [name, String(value)])
  const delivery = { method: 'POST', url: 'http://ops.example/', headers, body: Buffer.from(request?.body ?? '') }
  return standardWebhooks({ secret }).verify(delivery, new Date()).kind
}

function typesOf({ requests }: HttpReceiver): readonly string[] {
  return requests.map(({ body }) => (JSON.parse(body) as AlertMessage).type)
}

async function evaluations({ query, schema }: TestDatabase): Promise<number> {
  const [row] = await query<{ at: Date }>(`select evaluated_at as at from "${schema}".alert_watch`)
  return row?.at.getTime() ?? 0
}

type StartedApp = { readonly ended: Promise<string>; readonly kill: () => void }

async function start(options: AlertAppOptions): Promise<StartedApp> {
  const child = await forkProgram('test/support/alert-app.ts', { APP_OPTIONS: JSON.stringify(options) })
  const ended = once(child, 'exit').then(([code, signal]) => String(signal ?? code))
  await Promise.race([once(child, 'message'), ended])
  return { ended, kill: () => void child.kill('SIGKILL') }
}
