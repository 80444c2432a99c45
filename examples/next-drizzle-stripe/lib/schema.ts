import { boolean, integer, pgTable, text } from 'drizzle-orm/pg-core'

export const accounts = pgTable('accounts', {
  customer: text().primaryKey(),
  isUnlocked: boolean('is_unlocked').notNull(),
})

/** The event is not unique: that would hide a payment that is booked twice. */
export const payments = pgTable('payments', {
  eventId: text('event_id').notNull(),
  customer: text().notNull(),
  amount: integer().notNull(),
})

export const invoices = pgTable('invoices', {
  id: text().primaryKey(),
  status: text().notNull(),
  amount: integer().notNull(),
})

export const subscriptions = pgTable('subscriptions', { id: text().primaryKey(), status: text().notNull() })
