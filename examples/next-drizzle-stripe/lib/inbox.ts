import { createInbox } from 'oncehook'
import { drizzleStore } from 'oncehook/drizzle'
import { stripe } from 'oncehook/providers/stripe'
import { handler } from 'oncehook/targets/handler'
import { database } from './database'
import { accounts, invoices, payments, subscriptions } from './schema'
import { sendReceipt } from './send-receipt'
import { aboutInvoice, aboutSubscription } from './stripe-events'

export const inbox = createInbox({
  store: drizzleStore(database),
  sources: { stripe: stripe({ secret: process.env.STRIPE_WEBHOOK_SECRET }) },
  targets: { email: handler(sendReceipt) },
})

/** Paid: the account is unlocked, and a receipt is sent after the commit. */
inbox.on(
  'stripe',
  'invoice.paid',
  async (event, { tx, once, outbox }) => {
    const { id, customer, customer_email, amount_paid: amount } = event.payload
    await tx.insert(payments).values({ eventId: event.id, customer, amount })
    await tx
      .insert(accounts)
      .values({ customer, isUnlocked: true })
      .onConflictDoUpdate({ target: accounts.customer, set: { isUnlocked: true } })
    // By the invoice, not by the event: two events may tell of one payment.
    await once(`receipt:${id}`, () => outbox.add('email', { to: customer_email ?? customer, invoice: id, amount }))
  },
  { schema: aboutInvoice },
)

/** The state of an invoice. Stripe promises no order, so nothing older overwrites what is newer. */
inbox.on(
  'stripe',
  'invoice.*',
  async ({ occurredAt = 0, payload: { id, status, amount_paid: amount } }, { tx, latest }) => {
    const state = { status, amount }
    await latest(`invoice:${id}`, occurredAt, () =>
      tx
        .insert(invoices)
        .values({ id, ...state })
        .onConflictDoUpdate({ target: invoices.id, set: state }),
    )
  },
  { schema: aboutInvoice },
)

/** The same for subscriptions. Times are in whole seconds, so within one the end comes last. */
inbox.on(
  'stripe',
  'customer.subscription.*',
  async ({ type, occurredAt = 0, payload: { id, status } }, { tx, latest }) => {
    const rank = type === 'customer.subscription.deleted' ? 1 : 0
    await latest(`subscription:${id}`, [occurredAt, rank], () =>
      tx.insert(subscriptions).values({ id, status }).onConflictDoUpdate({ target: subscriptions.id, set: { status } }),
    )
  },
  { schema: aboutSubscription },
)
