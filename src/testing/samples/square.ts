import type { EventToSign } from '../../index.ts'
import { type ProviderSamples, type SampleInput, uuidOf } from './sample.ts'

/** Events of Square. */
export const samples: ProviderSamples = {
  'payment.updated': (input) =>
    event(input, 'payment.updated', 'payment', {
      status: 'COMPLETED',
      amount_money: { amount: 4200, currency: 'EUR' },
      source_type: 'CARD',
      location_id: 'S8GWD5R9QB376',
      note: 'Größe <L> & co',
      updated_at: input.at.toISOString(),
      version: 2,
    }),
  'refund.created': (input) =>
    event(input, 'refund.created', 'refund', {
      status: 'PENDING',
      amount_money: { amount: 4200, currency: 'EUR' },
      payment_id: `PAY${input.unique}`,
      reason: 'Returned goods',
    }),
  'customer.created': (input) =>
    event(input, 'customer.created', 'customer', {
      given_name: 'Jenny',
      family_name: 'Rosen',
      email_address: 'jenny@example.com',
    }),
}

function event(
  { id, at, unique }: SampleInput,
  type: string,
  kind: string,
  object: Readonly<Record<string, unknown>>,
): EventToSign {
  const objectId = `${kind.slice(0, 3).toUpperCase()}${unique}`
  return {
    type,
    payload: {
      merchant_id: '6SSW7HV8K2ST5',
      type,
      event_id: id ?? uuidOf(unique),
      created_at: at.toISOString(),
      data: { type: kind, id: objectId, object: { [kind]: { id: objectId, ...object } } },
    },
  }
}
