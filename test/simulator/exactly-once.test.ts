import { createServer, type RequestListener, type Server } from 'node:http'
import { afterEach, describe, expect } from 'vitest'
import { nodeHandler } from '../../src/adapters/node-http.ts'
import { createInbox } from '../../src/index.ts'
import { stripe } from '../../src/providers/stripe.ts'
import { type SimulationReport, simulate } from '../../src/simulator/simulate.ts'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { type TestDatabase, test } from '../support/database.ts'

const source = stripe({ secret: 'whsec_0123456789abcdef0123456789abcdef' })
const faults = { timeout: 0.1, 'lost-answer': 0.2, reset: 0.1, refused: 0.05, duplicate: 0.2, reorder: 0.2 }
const servers: Server[] = []

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

describe('a stream over a bad network', () => {
  test('takes effect exactly once in an inbox', async ({ database }) => {
    const { schema, pool, query } = database
    await query(`create table "${schema}".app_effects (event_id text)`)
    const store = postgresStore(pool, { schema })
    await store.migrate()
    const logger = { info: () => {}, warn: () => {}, error: () => {} }
    const inbox = createInbox({ store, sources: { stripe: source }, logger })
    inbox.on('stripe', '*', async ({ id }, { tx }) => {
      await tx.query(`insert into "${schema}".app_effects (event_id) values ($1)`, [id])
    })

    const report = await simulateAgainst(nodeHandler(inbox, 'stripe'))
    await inbox.stop({ graceSeconds: 5 })

    expect(report.verdict).toBe('delivered')
    expect(report.counts.duplicates).toBeGreaterThan(10)
    expect(await effectsOf(database)).toEqual(
      report.events.map(({ ids }) => ({ event_id: ids[0], count: 1 })).toSorted(byId),
    )
  })

  test('takes effect more than once where nobody dedupes', async ({ database }) => {
    const { schema, query } = database
    await query(`create table "${schema}".app_effects (event_id text)`)

    const report = await simulateAgainst((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('error', () => {})
      request.on('end', () => {
        const { id } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { readonly id: string }
        const stored = query(`insert into "${schema}".app_effects (event_id) values ($1)`, [id])
        void stored.then(() => response.writeHead(200).end())
      })
    })

    const doubled = (await effectsOf(database)).filter(({ count }) => count > 1)
    expect(report.verdict).toBe('delivered')
    expect(doubled.length).toBeGreaterThan(10)
  })
})

async function simulateAgainst(listener: RequestListener): Promise<SimulationReport> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return simulate({
    provider: source,
    url: `http://127.0.0.1:${port}/stripe`,
    events: 60,
    // So close together that ten are under way at once.
    everySeconds: 0.1,
    seed: 'bad network',
    faults,
  })
}

type Effects = readonly { readonly event_id: string; readonly count: number }[]

async function effectsOf({ schema, query }: TestDatabase): Promise<Effects> {
  const rows = await query<Effects[number]>(
    `select event_id, count(*)::int as count from "${schema}".app_effects group by event_id`,
  )
  return rows.toSorted(byId)
}

function byId(
  one: { readonly event_id?: string | undefined },
  other: { readonly event_id?: string | undefined },
): number {
  return (one.event_id ?? '') < (other.event_id ?? '') ? -1 : 1
}
