import { randomBytes } from 'node:crypto'
import type { Delivery } from '../../src/index.ts'
import { github } from '../../src/providers/github.ts'
import { stripe } from '../../src/providers/stripe.ts'
import { type AppOptions, type AppProcess, startApp } from './app-process.ts'
import { test as base, type TestDatabase } from './database.ts'
import { until } from './until.ts'

/** What the tests of guarantees look at: rows, in the app's own table and in the ledger. */
export type Guarantees = {
  /** Of the apps' source. */
  readonly secret: string
  /** Starts an app process on this test's schema; it is killed after the test. */
  readonly app: (options: Partial<AppOptions>) => Promise<AppProcess>
  readonly signed: (id: string, type?: string) => Delivery
  /** The same for the apps' other source, whose ids are not signed: the body is always the same, unless a payload is given. */
  readonly signedByGithub: (id: string, payload?: unknown) => Delivery
  /** How often the event took effect. The table has no unique constraint that would hide a double. */
  readonly effects: (eventId?: string) => Promise<number>
  readonly receipts: () => Promise<readonly { event_id: string; status: string; attempts: number }[]>
  readonly queueLength: () => Promise<number>
  /** Resolves when every receipt has come to an end. */
  readonly settled: () => Promise<void>
  /** Ends every lease, as if its time were over. */
  readonly expireLeases: () => Promise<void>
}

const secret = `whsec_${randomBytes(24).toString('hex')}`

export const test = base.extend<{ readonly guarantees: Guarantees }>({
  guarantees: async ({ database }, use) => {
    const { url, schema, query } = database
    const apps: AppProcess[] = []
    await createEffectsTable(database)

    await use({
      secret,
      async app(options) {
        const defaults: AppOptions = { databaseUrl: url, schema, secret, mode: 'queued', roles: ['receiver', 'worker'] }
        const started = await startApp({ ...defaults, ...options })
        apps.push(started)
        return started
      },
      signed: (id, type = 'invoice.paid') => stripe({ secret }).sign({ id, type }, new Date()),
      signedByGithub: (id, payload) =>
        github({ secret }).sign({ id, type: 'push', ...(payload !== undefined && { payload }) }, new Date()),
      async effects(eventId) {
        const rows = await query<{ event_id: string }>(`select event_id from "${schema}".app_effects`)
        return rows.filter(({ event_id }) => eventId === undefined || event_id === eventId).length
      },
      receipts: () => query(`select event_id, status, attempts from "${schema}".receipts order by id`),
      queueLength: async () => (await query(`select receipt_id from "${schema}".queue`)).length,
      settled: async () => {
        await until(
          () => query<{ status: string }>(`select status from "${schema}".receipts`),
          (rows) => rows.length > 0 && rows.every(({ status }) => status === 'processed' || status === 'failed'),
        )
      },
      expireLeases: async () => {
        await query(
          `update "${schema}".queue set due_at = clock_timestamp() - interval '1 second' where leased_by is not null`,
        )
      },
    })

    await Promise.all(apps.map((started) => started.kill()))
  },
})

async function createEffectsTable({ query, schema }: Pick<TestDatabase, 'query' | 'schema'>): Promise<void> {
  await query(`create table "${schema}".app_effects (event_id text not null, process_id int)`)
  await query(`create table "${schema}".states (id text primary key, version int not null)`)
  await query(`create table "${schema}".arrivals (key text not null)`)
}

/** Sends a delivery over HTTP. `undefined`: no answer came, as when the process died. */
export async function post(url: string, { headers, body }: Delivery): Promise<number | undefined> {
  try {
    const flat = [...headers].flatMap(([name, values]) => values.map((value): [string, string] => [name, value]))
    const response = await fetch(url, { method: 'POST', headers: flat, body: Buffer.from(body) })
    await response.arrayBuffer()
    return response.status
  } catch {
    return undefined
  }
}
