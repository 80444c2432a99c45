import type { EventToSign } from '../../index.ts'
import { type ProviderSamples, type SampleInput, uuidOf } from './sample.ts'

/** Notifications of Afterpay about disputes. */
export const samples: ProviderSamples = {
  'dispute.created': (input) => notification(input, 'created'),
  'dispute.updated': (input) => notification(input, 'updated'),
}

function notification({ id, unique }: SampleInput, what: string): EventToSign {
  return {
    type: `dispute.${what}`,
    payload: {
      webhook_event_id: id ?? uuidOf(unique),
      webhook_event_type: what,
      dispute_id: `dp_${unique.slice(0, 22)}`,
      merchant_reference: '08CF65ZSFNHVM',
    },
  }
}
