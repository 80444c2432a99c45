import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { concurrently, deliveries, expectProcessedOnce } from 'oncehook/testing'
import { app } from '../src/app.ts'
import { createTables, database } from '../src/database.ts'
import { inbox } from '../src/inbox.ts'

const secret = process.env.SLACK_WEBHOOK_SECRET ?? ''
const posted: string[] = []

/** Stands in for Slack's API, and keeps what is posted. */
const slackApi = createServer(async (request, response) => {
  posted.push(Buffer.concat(await request.toArray()).toString())
  response.end(JSON.stringify({ ok: true }))
}).listen(0, '127.0.0.1')

before(async () => {
  if (!slackApi.listening) await once(slackApi, 'listening')
  process.env.SLACK_API_URL = `http://127.0.0.1:${(slackApi.address() as AddressInfo).port}`
  process.env.SLACK_BOT_TOKEN = 'xoxb-of-a-test'
  await createTables()
})

after(async () => {
  slackApi.close()
  await inbox.close()
  await database.destroy()
})

const send = (request: Request) => app.request(request)
const mentionsOf = (eventId: string) =>
  database.selectFrom('mentions').select('text').where('event_id', '=', eventId).execute()

test('a mention is noted and answered once, though twenty copies come at the same moment', async () => {
  const mention = deliveries.slack('app_mention', { text: '<@U1> hello', channel: 'C1' }, { secret })

  const answers = await concurrently(20, () => send(mention.again().request('http://localhost/webhooks/slack')))
  await inbox.drain()

  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  await expectProcessedOnce(inbox, mention)
  assert.deepEqual(await mentionsOf(mention.id), [{ text: '<@U1> hello' }])
  assert.deepEqual(
    posted.map((text) => JSON.parse(text).text),
    ['Noted, <@U123ABC456>.'],
  )
})

test('nothing is noted for a forgery', async () => {
  const forged = deliveries.slack('app_mention', {}, { secret }).tampered()

  const answer = await send(forged.request('http://localhost/webhooks/slack'))
  await inbox.drain()

  assert.equal(answer.status, 401)
  assert.deepEqual(await mentionsOf(forged.id), [])
})
