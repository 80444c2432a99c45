import type { EventToSign } from '../../index.ts'
import type { ProviderSamples, SampleInput } from './sample.ts'

/** Events of EasyPost. */
export const samples: ProviderSamples = {
  'tracker.updated': (input) =>
    event(input, 'tracker.updated', {
      id: `trk_${input.unique}`,
      object: 'Tracker',
      carrier: 'UPS',
      status: 'delivered',
      tracking_code: '1Z9999999999999999',
      weight: 614.4,
      tracking_details: [
        { object: 'TrackingDetail', datetime: input.at.toISOString(), message: 'Zugestellt', status: 'delivered' },
      ],
    }),
  'tracker.created': (input) =>
    event(input, 'tracker.created', {
      id: `trk_${input.unique}`,
      object: 'Tracker',
      status: 'unknown',
      tracking_code: '1Z9999999999999999',
    }),
  'batch.updated': (input) =>
    event(input, 'batch.updated', {
      id: `batch_${input.unique}`,
      object: 'Batch',
      state: 'purchased',
      num_shipments: 12,
    }),
}

function event({ id, at, unique }: SampleInput, type: string, result: Readonly<Record<string, unknown>>): EventToSign {
  return {
    type,
    payload: {
      description: type,
      id: id ?? `evt_${unique}`,
      object: 'Event',
      mode: 'production',
      previous_attributes: {},
      result,
      status: 'pending',
      pending_urls: ['https://example.com/hooks'],
      completed_urls: [],
      created_at: at.toISOString(),
      updated_at: at.toISOString(),
    },
  }
}
