import type { EventToSign } from '../../index.ts'
import { type ProviderSamples, type SampleInput, uuidOf } from './sample.ts'

/** CloudEvents. */
export const samples: ProviderSamples = {
  'com.example.order.paid': (input) =>
    event(input, 'com.example.order.paid', { order: 'A-4711', amount: 4200, currency: 'EUR' }),
  'com.example.order.cancelled': (input) =>
    event(input, 'com.example.order.cancelled', { order: 'A-4711', reason: 'Größe falsch' }),
}

function event({ id, at, unique }: SampleInput, type: string, data: unknown): EventToSign {
  return { id: id ?? uuidOf(unique), type, payload: { subject: 'orders/A-4711', time: at.toISOString(), data } }
}
