import type { EventToSign } from '../../index.ts'
import { type ProviderSamples, type SampleInput, secondsOf } from './sample.ts'

/** Events of Chargebee. */
export const samples: ProviderSamples = {
  subscription_created: (input) =>
    event(input, 'subscription_created', {
      subscription: {
        id: `sub_${input.unique}`,
        customer_id: 'customer-1001',
        status: 'active',
        currency_code: 'EUR',
        resource_version: input.at.getTime(),
        object: 'subscription',
      },
    }),
  payment_succeeded: (input) =>
    event(input, 'payment_succeeded', {
      transaction: { id: `txn_${input.unique}`, amount: 4200, status: 'success', object: 'transaction' },
      invoice: { id: '1001', status: 'paid', amount_paid: 4200, object: 'invoice' },
      customer: { id: 'customer-1001', email: 'jenny@example.com', object: 'customer' },
    }),
  invoice_generated: (input) =>
    event(input, 'invoice_generated', {
      invoice: { id: `inv_${input.unique}`, status: 'payment_due', total: 4200, object: 'invoice' },
    }),
}

function event({ id, at, unique }: SampleInput, type: string, content: Readonly<Record<string, unknown>>): EventToSign {
  return {
    type,
    payload: {
      id: id ?? `ev_${unique}`,
      occurred_at: secondsOf(at),
      source: 'scheduled_job',
      object: 'event',
      api_version: 'v2',
      content,
      event_type: type,
      webhook_status: 'scheduled',
    },
  }
}
