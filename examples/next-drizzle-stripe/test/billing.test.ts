import 'oncehook/testing/vitest'
import { eq } from 'drizzle-orm'
import { concurrently, deliveries, outOfOrder, type TestDelivery } from 'oncehook/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { POST } from '../app/webhooks/[source]/route'
import { closeDatabase, createTables, database } from '../lib/database'
import { inbox } from '../lib/inbox'
import { accounts, payments, subscriptions } from '../lib/schema'

const secret = process.env.STRIPE_WEBHOOK_SECRET ?? ''
const send = (delivery: TestDelivery) => POST(delivery.again().request('https://shop.example.com/webhooks/stripe'))

beforeAll(createTables)
afterAll(async () => {
  await inbox.close()
  await closeDatabase()
})

test('an invoice unlocks the account and sends one receipt, though twenty copies come at the same moment', async () => {
  const customer = `cus_${Date.now()}`
  const paid = deliveries.stripe('invoice.paid', { customer, customer_email: 'ada@example.com' }, { secret })

  const answers = await concurrently(20, () => send(paid))
  await inbox.drain()

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  await expect(inbox).toHaveProcessedOnce(paid)
  expect(await database.select().from(payments).where(eq(payments.eventId, paid.id))).toHaveLength(1)
  expect(await database.select().from(accounts).where(eq(accounts.customer, customer))).toEqual([
    { customer, isUnlocked: true },
  ])
  const [receipt] = await inbox.receipts.find({ eventId: paid.id })
  const mails = await inbox.messages.find({ target: 'email', receiptId: receipt?.id ?? '' })
  expect(mails.map(({ status }) => status)).toEqual(['published'])
})

test('a subscription stays cancelled, in whichever order its events come', async () => {
  const id = `sub_${Date.now()}`
  const at = (hour: number) => ({ secret, occurredAt: new Date(Date.UTC(2026, 0, 1, hour)) })
  const events = [
    deliveries.stripe('customer.subscription.created', { id, status: 'incomplete' }, at(1)),
    deliveries.stripe('customer.subscription.updated', { id, status: 'active' }, at(2)),
    deliveries.stripe('customer.subscription.deleted', { id, status: 'canceled' }, at(3)),
  ]

  for (const event of outOfOrder(events)) await send(event)

  const [subscription] = await database.select().from(subscriptions).where(eq(subscriptions.id, id))
  expect(subscription?.status).toBe('canceled')
})

test('a forgery unlocks nothing', async () => {
  const customer = `cus_forged_${Date.now()}`
  const forged = deliveries.stripe('invoice.paid', { customer }, { secret }).tampered()

  const answer = await POST(forged.request('https://shop.example.com/webhooks/stripe'))

  expect(answer.status).toBe(401)
  expect(await database.select().from(accounts).where(eq(accounts.customer, customer))).toEqual([])
})
