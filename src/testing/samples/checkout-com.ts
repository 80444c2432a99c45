import type { EventToSign } from '../../index.ts'
import type { ProviderSamples, SampleInput } from './sample.ts'

/** Events of Checkout.com. */
export const samples: ProviderSamples = {
  payment_captured: (input) =>
    event(input, 'payment_captured', {
      id: `pay_${input.unique}`,
      action_id: `act_${input.unique}`,
      reference: 'order-1001',
      amount: 6540,
      currency: 'EUR',
      processed_on: input.at.toISOString(),
      response_code: '10000',
      response_summary: 'Approved',
      balances: { total_authorized: 6540, total_captured: 6540, total_refunded: 0, available_to_refund: 6540 },
      metadata: { note: 'Grüße “L”' },
    }),
  payment_declined: (input) =>
    event(input, 'payment_declined', {
      id: `pay_${input.unique}`,
      action_id: `act_${input.unique}`,
      reference: 'order-1002',
      amount: 4200,
      currency: 'EUR',
      response_code: '20051',
      response_summary: 'Insufficient Funds',
    }),
  dispute_received: (input) =>
    event(input, 'dispute_received', {
      id: `dsp_${input.unique}`,
      payment_id: `pay_${input.unique}`,
      amount: 6540,
      currency: 'EUR',
      reason_code: '10.4',
    }),
}

function event({ id, at, unique }: SampleInput, type: string, data: Readonly<Record<string, unknown>>): EventToSign {
  return { type, payload: { id: id ?? `evt_${unique}`, type, version: '1.0.0', created_on: at.toISOString(), data } }
}
