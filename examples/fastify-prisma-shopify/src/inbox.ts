import { createInbox } from 'oncehook'
import { prismaStore } from 'oncehook/prisma'
import { shopify } from 'oncehook/providers/shopify'
import { z } from 'zod'
import type { Prisma } from '../generated/prisma/client.ts'
import { prisma } from './database.ts'

/** What does not fit becomes a dead letter at once, because no attempt would help. */
const order = z.object({
  id: z.number().transform(String),
  financial_status: z.string(),
  total_price: z.string(),
  updated_at: z.string(),
  line_items: z.array(z.object({ title: z.string(), quantity: z.number() })),
})

export const inbox = createInbox({
  store: prismaStore<Prisma.TransactionClient>(prisma),
  sources: { shopify: shopify({ secret: process.env.SHOPIFY_WEBHOOK_SECRET }) },
})

// Shopify promises no order: "created" may come after "paid".
inbox.on(
  'shopify',
  ['orders/create', 'orders/paid'],
  async ({ payload }, { tx, latest }) => {
    const { id, financial_status: status, total_price: total, updated_at } = payload
    await latest(`order:${id}`, new Date(updated_at), () =>
      tx.order.upsert({ where: { id }, create: { id, status, total }, update: { status, total } }),
    )
  },
  { schema: order },
)

inbox.on(
  'shopify',
  'orders/paid',
  async (event, { tx }) => {
    const { id: orderId, line_items } = event.payload
    await tx.stockMovement.createMany({ data: line_items.map((item) => ({ eventId: event.id, orderId, ...item })) })
  },
  { schema: order },
)
