import type { EventToSign } from '../../index.ts'
import { type ProviderSamples, type SampleInput } from './sample.ts'

/** Events of Plaid. */
export const samples: ProviderSamples = {
  'TRANSACTIONS.SYNC_UPDATES_AVAILABLE': (input) =>
    event(input, 'TRANSACTIONS.SYNC_UPDATES_AVAILABLE', {
      initial_update_complete: true,
      historical_update_complete: true,
    }),
  'ITEM.ERROR': (input) =>
    event(input, 'ITEM.ERROR', {
      error: {
        error_type: 'ITEM_ERROR',
        error_code: 'ITEM_LOGIN_REQUIRED',
        error_message: 'the login details of this item have changed',
        status: 400,
      },
    }),
}

function event({ unique }: SampleInput, type: string, fields: Readonly<Record<string, unknown>>): EventToSign {
  return { type, payload: { item_id: `wz666MBjYWTp2PDzzggYhM6${unique}`, ...fields } }
}
