import type { EventToSign } from '../../index.ts'
import { type ProviderSamples, type SampleInput, uuidOf } from './sample.ts'

/** Events of Polar. */
export const samples: ProviderSamples = {
  'order.paid': (input) =>
    event(input, 'order.paid', {
      status: 'paid',
      paid: true,
      total_amount: 4200,
      currency: 'eur',
      billing_reason: 'purchase',
      customer: { email: 'jenny@example.com', name: 'Jenny Rosen' },
    }),
  'subscription.active': (input) =>
    event(input, 'subscription.active', {
      status: 'active',
      amount: 4200,
      currency: 'eur',
      recurring_interval: 'month',
      current_period_start: input.at.toISOString(),
    }),
  'customer.created': (input) =>
    event(input, 'customer.created', { email: 'jenny@example.com', name: 'Jenny Rosen', external_id: 'user-1001' }),
}

function event({ id, at, unique }: SampleInput, type: string, data: Readonly<Record<string, unknown>>): EventToSign {
  const object = { id: uuidOf(unique), created_at: at.toISOString(), ...data }
  return { id: id ?? uuidOf(`e${unique}`), type, payload: { type, timestamp: at.toISOString(), data: object } }
}
