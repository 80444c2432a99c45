import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { concurrently, deliveries, expectProcessedOnce, outOfOrder, type TestDelivery } from 'oncehook/testing'
import { app } from '../src/app.ts'
import { createTables, prisma } from '../src/database.ts'
import { inbox } from '../src/inbox.ts'

const secret = process.env.SHOPIFY_WEBHOOK_SECRET ?? ''
let url = ''

before(async () => {
  await createTables()
  url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/webhooks/shopify`
})

after(async () => {
  await app.close()
  await inbox.close()
  await prisma.$disconnect()
})

const send = (delivery: TestDelivery) => fetch(delivery.again().request(url))

test('an order that is paid leaves the shelf once, though twenty copies come at the same moment', async () => {
  const line_items = [{ title: 'Jacket', quantity: 2 }]
  const paid = deliveries.shopify('orders/paid', { id: Date.now(), line_items }, { secret })

  const answers = await concurrently(20, () => send(paid))

  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  await expectProcessedOnce(inbox, paid)
  const moved = await prisma.stockMovement.findMany({ where: { eventId: paid.id } })
  assert.deepEqual(
    moved.map(({ title, quantity }) => ({ title, quantity })),
    line_items,
  )
})

test('an order stays paid, in whichever order the events come', async () => {
  const id = Date.now() + 1
  const order = (type: string, financial_status: string, updated_at: string) =>
    deliveries.shopify(type, { id, financial_status, updated_at }, { secret })
  const events = [
    order('orders/create', 'pending', '2026-01-01T10:00:00Z'),
    order('orders/paid', 'paid', '2026-01-01T10:05:00Z'),
  ]

  for (const event of outOfOrder(events)) await send(event)

  assert.equal((await prisma.order.findUnique({ where: { id: String(id) } }))?.status, 'paid')
})

test('nothing leaves the shelf for a forgery', async () => {
  const forged = deliveries.shopify('orders/paid', {}, { secret }).tampered()

  const answer = await fetch(forged.request(url))

  assert.equal(answer.status, 401)
  assert.equal(await prisma.stockMovement.count({ where: { eventId: forged.id } }), 0)
})
