import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { concurrently, deliveries, expectProcessedOnce, expectRows } from 'oncehook/testing'
import { app } from '../src/app.ts'
import { createTables, pool } from '../src/database.ts'
import { inbox } from '../src/inbox.ts'

const secret = process.env.GITHUB_WEBHOOK_SECRET ?? ''
const server = app.listen(0)
let url = ''

before(async () => {
  await createTables()
  if (!server.listening) await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/github`
})

after(async () => {
  server.close()
  await inbox.close()
  await pool.end()
})

const buildsOf = (eventId: string) => `select commit from builds where event_id = '${eventId}'`

test('a push is built once, though twenty copies come at the same moment', async () => {
  const push = deliveries.github('push', { after: 'c0ffee' }, { secret })

  const answers = await concurrently(20, () => fetch(push.again().request(url)))

  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  await expectProcessedOnce(inbox, push)
  await expectRows(pool, buildsOf(push.id), [{ commit: 'c0ffee' }])
})

test('a push that somebody asks GitHub to send again is known', async () => {
  const push = deliveries.github('push', {}, { secret })
  await fetch(push.request(url))

  const answer = await fetch(push.again().request(url))

  const { verdict } = (await answer.json()) as { verdict: string }
  assert.equal(verdict, 'duplicate')
  await expectRows(pool, buildsOf(push.id), 1)
})

test('nothing is built for a forgery', async () => {
  const forged = deliveries.github('push', {}, { secret }).tampered()

  const answer = await fetch(forged.request(url))

  assert.equal(answer.status, 401)
  await expectRows(pool, buildsOf(forged.id), 0)
})
