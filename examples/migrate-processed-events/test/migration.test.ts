import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as runner from 'node:test'
import type { Express } from 'express'
import { concurrently, deliveries, expectProcessedOnce, expectRows, type TestDelivery } from 'oncehook/testing'
import { after, before, watched } from '../src/apps.ts'
import { createTables, pool } from '../src/database.ts'
import { inbox } from '../src/inbox.ts'

const { test } = runner
const secret = process.env.STRIPE_WEBHOOK_SECRET ?? ''
const servers: Server[] = []

const newInvoice = () => deliveries.stripe('invoice.paid', {}, { secret })
const paymentsOf = ({ id }: TestDelivery) => `select from payments where event_id = '${id}'`

async function serve(app: Express): Promise<(delivery: TestDelivery) => Promise<Response>> {
  const server = app.listen(0)
  servers.push(server)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return (delivery) => fetch(delivery.again().request(`http://127.0.0.1:${port}/webhooks/stripe`))
}

const importTable = () =>
  inbox.importTable({
    source: 'stripe',
    table: 'public.processed_events',
    columns: { eventId: 'event_id', type: 'type', processedAt: 'processed_at' },
  })

runner.before(createTables)

runner.after(async () => {
  for (const server of servers) server.close()
  await inbox.close()
  await pool.end()
})

test('step 1: what the old handler doubles is seen while it is watched, and it is not disturbed', async () => {
  const send = await serve(watched)
  const doubled = newInvoice()

  const answers = await concurrently(20, () => send(doubled))
  await inbox.shadow.flush()

  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  const { runAgain } = await inbox.shadow.report({ source: 'stripe' })
  assert.ok(runAgain.events.some(({ eventId }) => eventId === doubled.id))
})

test('steps 2 to 4: what the old handler has processed does not run again after the switch', async () => {
  const [sendBefore, sendAfter] = [await serve(before), await serve(after)]
  const [old, meanwhile] = [newInvoice(), newInvoice()]
  await sendBefore(old)

  await importTable()
  await sendBefore(meanwhile) // between the import and the switch
  await importTable()
  const answers = await Promise.all([old, meanwhile].map(sendAfter))

  for (const answer of answers) {
    const { verdict } = (await answer.json()) as { verdict: string }
    assert.equal(verdict, 'duplicate')
  }
  for (const event of [old, meanwhile]) await expectRows(pool, paymentsOf(event), 1)
})

test('after the switch an invoice is booked once, though twenty copies come at the same moment', async () => {
  const send = await serve(after)
  const paid = newInvoice()

  await concurrently(20, () => send(paid))

  await expectProcessedOnce(inbox, paid)
  await expectRows(pool, paymentsOf(paid), 1)
})
