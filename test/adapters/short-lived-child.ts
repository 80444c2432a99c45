// A process as serverless platforms have them: it does one thing and ends by itself. What it leaves running is in what it sends.

import { lambdaHandler } from '../../src/adapters/lambda.ts'
import { createInbox } from '../../src/index.ts'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { signedRequest } from './conformance-deliveries.ts'
import { conformanceSources } from './conformance-sources.ts'

const { DATABASE_URL: url = '', SCHEMA: schema = '', TASK: task = '' } = process.env
const inbox = createInbox({ store: postgresStore(url, { schema, maximumConnections: 3 }), sources: conformanceSources })
inbox.on('queued', '*', async (event, { tx }) => {
  await tx.query(`insert into "${schema}".app_effects values ($1)`, [event.id])
})

const result = task === 'drain' ? await inbox.drain({ untilMs: 5000 }) : await receive()
await inbox.close()
process.send?.({ result, left: process.getActiveResourcesInfo().filter((name) => /Timeout|TCP|Immediate/.test(name)) })
process.disconnect?.()

async function receive(): Promise<number> {
  const { path, headers = {}, body } = signedRequest('queued', { id: 'one', body: '{"a":1}' })
  const event = {
    version: '2.0',
    rawPath: path,
    rawQueryString: '',
    headers,
    requestContext: { http: { method: 'POST' } },
  }
  const handle = lambdaHandler(inbox)
  const answer = await handle({ ...event, body: Buffer.from(body).toString('base64'), isBase64Encoded: true })
  return answer.statusCode
}
