import type { EventToSign } from '../../index.ts'
import type { ProviderSamples, SampleInput } from './sample.ts'

/** Events of Paddle. */
export const samples: ProviderSamples = {
  'transaction.completed': (input) =>
    event(input, 'transaction.completed', {
      id: `txn_${input.unique}`,
      status: 'completed',
      customer_id: 'ctm_01hv6y1jedq4p1n0yqn5ba3ky4',
      currency_code: 'EUR',
      details: { totals: { total: '4200', tax: '670' } },
    }),
  'subscription.activated': (input) =>
    event(input, 'subscription.activated', {
      id: `sub_${input.unique}`,
      status: 'active',
      customer_id: 'ctm_01hv6y1jedq4p1n0yqn5ba3ky4',
      started_at: input.at.toISOString(),
    }),
  'subscription.canceled': (input) =>
    event(input, 'subscription.canceled', {
      id: `sub_${input.unique}`,
      status: 'canceled',
      customer_id: 'ctm_01hv6y1jedq4p1n0yqn5ba3ky4',
      canceled_at: input.at.toISOString(),
    }),
}

function event({ id, at, unique }: SampleInput, type: string, data: Readonly<Record<string, unknown>>): EventToSign {
  const payload = {
    event_id: id ?? `evt_${unique}`,
    event_type: type,
    occurred_at: at.toISOString(),
    notification_id: `ntf_${unique}`,
    data,
  }
  return { type, payload }
}
