import type { EventToSign } from '../../index.ts'
import { type ProviderSamples, type SampleInput, secondsOf } from './sample.ts'

/** Events of Razorpay. */
export const samples: ProviderSamples = {
  'payment.captured': (input) =>
    event(input, 'payment.captured', {
      payment: {
        id: `pay_${input.unique.slice(0, 14)}`,
        entity: 'payment',
        amount: 420000,
        currency: 'INR',
        status: 'captured',
        order_id: `order_${input.unique.slice(0, 14)}`,
        method: 'upi',
        captured: true,
        description: '1 × “Größe L”',
        created_at: secondsOf(input.at),
      },
    }),
  'order.paid': (input) =>
    event(input, 'order.paid', {
      order: {
        id: `order_${input.unique.slice(0, 14)}`,
        entity: 'order',
        amount: 420000,
        amount_paid: 420000,
        currency: 'INR',
        receipt: 'order-1001',
        status: 'paid',
      },
    }),
  'refund.processed': (input) =>
    event(input, 'refund.processed', {
      refund: {
        id: `rfnd_${input.unique.slice(0, 14)}`,
        entity: 'refund',
        amount: 420000,
        currency: 'INR',
        payment_id: `pay_${input.unique.slice(0, 14)}`,
        status: 'processed',
      },
    }),
}

function event(
  { id, at, unique }: SampleInput,
  type: string,
  entities: Readonly<Record<string, unknown>>,
): EventToSign {
  const wrapped = Object.entries(entities).map(([name, entity]) => [name, { entity }])
  return {
    id: id ?? unique.slice(0, 14),
    type,
    payload: {
      entity: 'event',
      account_id: 'acc_BFQ7uQEaa7j2z7',
      event: type,
      contains: Object.keys(entities),
      payload: Object.fromEntries(wrapped),
      created_at: secondsOf(at),
    },
  }
}
