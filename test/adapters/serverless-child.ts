// An instance of a serverless platform: it does what it is told by messages, one connection is all it has, and nothing is ever closed.

import { writeFileSync } from 'node:fs'
import { drainHandler, webHandler } from '../../src/adapters/serverless.ts'
import { createInbox } from '../../src/index.ts'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { signedRequest } from './conformance-deliveries.ts'
import { conformanceSources } from './conformance-sources.ts'
import type { InstanceReport, InstanceTask } from './serverless-instance.ts'

const { DATABASE_URL: url = '', SCHEMA: schema = '', CRON_SECRET: secret } = process.env
const inbox = createInbox({ store: postgresStore(url, { schema, maximumConnections: 1 }), sources: conformanceSources })
inbox.on('queued', '*', async (event, { tx }) => {
  await tx.query(`insert into "${schema}".app_effects values ($1)`, [event.id])
  if (!event.id.startsWith('held-')) return
  report({ kind: 'in_handler' })
  await new Promise<void>((resolve) => {
    process.on('message', (task: InstanceTask) => task.kind === 'release' && resolve())
  })
})
inbox.subscribe((event) => {
  if (event.kind === 'handler') report({ kind: 'handled', outcome: event.outcome })
})

const afterwards: Promise<unknown>[] = []
const receive = webHandler(inbox, { source: 'queued', waitUntil: (work) => afterwards.push(work) })
const receiveOnly = webHandler(inbox, 'queued')
const cron = drainHandler(inbox, { secret, untilMs: 10_000 })

process.on('message', (task: InstanceTask) => void perform(task))
report({ kind: 'ready' })

async function perform(task: InstanceTask): Promise<void> {
  switch (task.kind) {
    case 'deliver': {
      const { headers = {}, body } = signedRequest('queued', { id: task.id, body: '{"a":1}' })
      const handle = task.work === 'after_answer' ? receive : receiveOnly
      const request = new Request('https://example.com/queued', { method: 'POST', headers, body: Buffer.from(body) })
      return answered(await handle(request))
    }
    case 'cron':
      return answered(
        await cron(new Request('https://example.com/cron', { headers: { authorization: task.authorization } })),
      )
    case 'release':
      return
    case 'last':
      await Promise.all(afterwards)
      // Without the channel to the test nothing may keep it: it has to end by itself.
      process.once('disconnect', () => writeFileSync(task.file, JSON.stringify(process.getActiveResourcesInfo())))
      process.disconnect()
  }
}

async function answered(response: Response): Promise<void> {
  report({ kind: 'answered', status: response.status, body: await response.text() })
}

function report(message: InstanceReport): void {
  process.send?.(message)
}
