import { type AdminCall, adminCalls, readSamples, type Sample } from '../admin-calls.ts'
import { type AdminLedger, fillAdminLedger } from '../admin-ledger.ts'
import { startContestant } from '../child.ts'
import { checkpoint, createDatabase } from '../databases.ts'
import { percentile } from '../measurements.ts'
import type { Section } from '../section.ts'

const warmUpCalls = 10

/** Whether people who look at a long ledger have to wait. */
export const admin: Section = {
  name: 'admin',
  isFullOnly: true,
  title: 'Admin API: what the dashboard asks of a long ledger',
  metrics: [
    { key: 'p50', title: 'p50 ms', digits: 1 },
    { key: 'p95', title: 'p95 ms', digits: 1 },
    { key: 'p99', title: 'p99 ms', digits: 1 },
  ],
  contenders: adminCalls,
  baseline: 'first',
  async run({ stage, settings, say, record }) {
    const database = await createDatabase(stage.postgres)
    const environment = { ...stage.environment, DATABASE_URL: database.url }
    const server = startContestant({
      file: 'contenders/oncehook-admin.mjs',
      node: stage.nodes.server,
      environment,
    })
    try {
      const { port = 0 } = await server.hear('listening')
      const ledger = await fillAdminLedger(database, settings.adminRows, say)
      const samples = await readSamples(database, 90)
      const scene = `${settings.adminRows.toLocaleString('en')} receipts`
      const ask = (call: AdminCall, turn: number): Promise<number> =>
        timeOf(`http://127.0.0.1:${port}`, call, samples[turn % samples.length], ledger)

      await checkpoint(stage.postgres)
      say('warming up')
      for (let turn = 0; turn < warmUpCalls; turn += 1) for (const call of adminCalls) await ask(call, turn)
      for (let round = 1; round <= settings.rounds; round += 1) {
        say(`${settings.adminCalls} calls of each kind, round ${round}`)
        const times = new Map(adminCalls.map(({ key }) => [key, [] as number[]]))
        // One of each kind after another, so that what disturbs the machine disturbs all of them.
        for (let turn = 0; turn < settings.adminCalls; turn += 1)
          for (const call of adminCalls) times.get(call.key)?.push(await ask(call, round + turn))
        for (const [contender, taken] of times) {
          const [p50, p95, p99] = [percentile(taken, 50), percentile(taken, 95), percentile(taken, 99)]
          record({ scene, contender, round, values: { p50, p95, p99 } })
        }
      }
    } finally {
      await server.stop()
      await database.drop()
    }
  },
}

/** Milliseconds until the whole answer was read. Throws if it is not the one that was asked for. */
async function timeOf(url: string, call: AdminCall, sample: Sample | undefined, ledger: AdminLedger): Promise<number> {
  if (sample === undefined) throw new Error('There are no receipts to ask for.')
  const path = call.path(sample, ledger)
  const startedAt = performance.now()
  const response = await fetch(`${url}/api/v1${path}`)
  const text = await response.text()
  const milliseconds = performance.now() - startedAt
  const { items = [] } = JSON.parse(text) as { readonly items?: readonly unknown[] }
  if (response.status !== 200 || items.length < call.leastItems)
    throw new Error(`${path} was answered with ${response.status} and ${items.length} items: ${text.slice(0, 200)}`)
  return milliseconds
}
