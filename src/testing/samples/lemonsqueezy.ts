import type { EventToSign } from '../../index.ts'
import { numberOf, type ProviderSamples, type SampleInput, uuidOf } from './sample.ts'

/** Events of Lemon Squeezy. */
export const samples: ProviderSamples = {
  order_created: (input) =>
    event(input, 'order_created', 'orders', {
      store_id: 1,
      customer_id: 7,
      identifier: uuidOf(input.unique),
      order_number: 1001,
      user_name: 'Jenny Rosen',
      user_email: 'jenny@example.com',
      currency: 'EUR',
      total: 4200,
      status: 'paid',
      refunded: false,
      urls: { receipt: `https://app.lemonsqueezy.com/my-orders/${uuidOf(input.unique)}?signature=0` },
    }),
  subscription_updated: (input) =>
    event(input, 'subscription_updated', 'subscriptions', {
      store_id: 1,
      customer_id: 7,
      order_id: 1,
      product_name: 'Büro “Größe L”',
      status: 'active',
      cancelled: false,
      renews_at: input.at.toISOString(),
    }),
  subscription_payment_success: (input) =>
    event(input, 'subscription_payment_success', 'subscription-invoices', {
      store_id: 1,
      subscription_id: 1,
      billing_reason: 'renewal',
      currency: 'EUR',
      status: 'paid',
      total: 4200,
    }),
}

function event(
  { id, at, unique }: SampleInput,
  name: string,
  type: string,
  attributes: Readonly<Record<string, unknown>>,
): EventToSign {
  const times = { created_at: at.toISOString(), updated_at: at.toISOString(), test_mode: true }
  return {
    type: name,
    payload: {
      meta: { test_mode: true, event_name: name, custom_data: { user_id: '42' } },
      data: { type, id: id ?? String(numberOf(unique)), attributes: { ...attributes, ...times } },
    },
  }
}
