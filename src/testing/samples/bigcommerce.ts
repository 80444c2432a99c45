import type { EventToSign } from '../../index.ts'
import { numberOf, type ProviderSamples, type SampleInput, secondsOf, uuidOf } from './sample.ts'

/** Events of BigCommerce. */
export const samples: ProviderSamples = {
  'store/order/statusUpdated': (input) =>
    event(input, 'store/order/statusUpdated', {
      type: 'order',
      id: numberOf(input.unique),
      status: { previous_status_id: 0, new_status_id: 11 },
    }),
  'store/order/created': (input) => event(input, 'store/order/created', { type: 'order', id: numberOf(input.unique) }),
  'store/product/updated': (input) =>
    event(input, 'store/product/updated', { type: 'product', id: numberOf(input.unique) }),
}

function event({ id, at, unique }: SampleInput, scope: string, data: Readonly<Record<string, unknown>>): EventToSign {
  return {
    id: id ?? uuidOf(unique),
    type: scope,
    payload: {
      producer: 'stores/abcde',
      hash: unique.padEnd(40, '0'),
      created_at: secondsOf(at),
      store_id: '1001197568',
      scope,
      data,
    },
  }
}
