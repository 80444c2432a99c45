import type { EventToSign } from '../../index.ts'
import type { ProviderSamples, SampleInput } from './sample.ts'

/** Events of a sender without a declaration of its own; the id and the type go where its options say. */
export const samples: ProviderSamples = {
  'order.created': (input) => event(input, 'order.created', 'open'),
  'order.paid': (input) => event(input, 'order.paid', 'paid'),
}

function event({ id, at, unique }: SampleInput, type: string, status: string): EventToSign {
  const payload = {
    order: { number: `order-${unique}`, status, total: '42.00', currency: 'EUR' },
    at: at.toISOString(),
  }
  return { id: id ?? `evt_${unique}`, type, payload }
}
