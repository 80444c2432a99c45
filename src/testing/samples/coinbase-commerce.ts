import type { EventToSign } from '../../index.ts'
import { type ProviderSamples, type SampleInput, uuidOf } from './sample.ts'

/** Events of Coinbase Commerce. */
export const samples: ProviderSamples = {
  'charge:confirmed': (input) => event(input, 'charge:confirmed', 'COMPLETED'),
  'charge:created': (input) => event(input, 'charge:created', 'NEW'),
  'charge:failed': (input) => event(input, 'charge:failed', 'EXPIRED'),
}

function event({ id, at, unique }: SampleInput, type: string, status: string): EventToSign {
  const charge = {
    id: uuidOf(unique),
    code: unique.slice(0, 8).toUpperCase(),
    name: 'The “Größe L” box',
    pricing_type: 'fixed_price',
    pricing: { local: { amount: '42.00', currency: 'EUR' } },
    metadata: { order: '1001' },
    timeline: [{ time: at.toISOString(), status }],
  }
  return {
    type,
    payload: {
      id: uuidOf(`a${unique}`),
      scheduled_for: at.toISOString(),
      attempt_number: 1,
      event: {
        id: id ?? uuidOf(`e${unique}`),
        resource: 'event',
        type,
        api_version: '2018-03-22',
        created_at: at.toISOString(),
        data: charge,
      },
    },
  }
}
