import type { EventToSign } from '../../index.ts'
import type { ProviderSamples } from './sample.ts'

/** Events of Shippo. */
export const samples: ProviderSamples = {
  track_updated: (input) =>
    event('track_updated', {
      carrier: 'usps',
      tracking_number: '9205590164917312751089',
      address_to: { city: 'São Paulo', country: 'BR' },
      eta: null,
      tracking_status: {
        object_id: input.id ?? input.unique.padEnd(32, '0'),
        status: 'DELIVERED',
        status_details: 'Your shipment has been delivered.',
        status_date: input.at.toISOString(),
        location: { city: 'Köln', country: 'DE' },
      },
      tracking_history: [],
    }),
  transaction_created: (input) =>
    event('transaction_created', {
      object_id: input.id ?? input.unique.padEnd(32, '0'),
      object_created: input.at.toISOString(),
      object_updated: input.at.toISOString(),
      status: 'SUCCESS',
      rate: 'ee81fab0372e419ab52245c8952ccaeb',
    }),
}

function event(type: string, data: Readonly<Record<string, unknown>>): EventToSign {
  return { type, payload: { event: type, test: false, data } }
}
