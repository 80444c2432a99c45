import type { EventToSign } from '../../index.ts'
import { type ProviderSamples, type SampleInput, secondsOf } from './sample.ts'

/** Events of Stripe. */
export const samples: ProviderSamples = {
  'invoice.paid': (input) =>
    event(input, 'invoice.paid', {
      id: `in_${input.unique}`,
      object: 'invoice',
      status: 'paid',
      customer: 'cus_NffrFeUfNV2Hib',
      amount_due: 4200,
      amount_paid: 4200,
      currency: 'eur',
      billing_reason: 'subscription_cycle',
      lines: { object: 'list', data: [{ id: `il_${input.unique}`, amount: 4200, description: '1 × Büro “Größe L”' }] },
    }),
  'checkout.session.completed': (input) =>
    event(input, 'checkout.session.completed', {
      id: `cs_test_${input.unique}`,
      object: 'checkout.session',
      mode: 'payment',
      payment_status: 'paid',
      status: 'complete',
      amount_total: 4200,
      currency: 'eur',
      client_reference_id: 'order-1001',
      customer_details: { email: 'jenny@example.com', name: 'Jenny Rosen' },
    }),
  'payment_intent.succeeded': (input) =>
    event(input, 'payment_intent.succeeded', {
      id: `pi_${input.unique}`,
      object: 'payment_intent',
      status: 'succeeded',
      amount: 4200,
      amount_received: 4200,
      currency: 'eur',
    }),
  'charge.refunded': (input) =>
    event(input, 'charge.refunded', {
      id: `ch_${input.unique}`,
      object: 'charge',
      amount: 4200,
      amount_refunded: 4200,
      refunded: true,
      currency: 'eur',
    }),
  'customer.subscription.deleted': (input) =>
    event(input, 'customer.subscription.deleted', {
      id: `sub_${input.unique}`,
      object: 'subscription',
      status: 'canceled',
      customer: 'cus_NffrFeUfNV2Hib',
      canceled_at: secondsOf(input.at),
    }),
}

function event({ id, at, unique }: SampleInput, type: string, object: Readonly<Record<string, unknown>>): EventToSign {
  return {
    type,
    payload: {
      id: id ?? `evt_${unique}`,
      object: 'event',
      api_version: '2026-10-29.clover',
      created: secondsOf(at),
      type,
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      data: { object },
    },
  }
}
