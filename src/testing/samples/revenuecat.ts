import type { EventToSign } from '../../index.ts'
import { numberOf, type ProviderSamples, type SampleInput, uuidOf } from './sample.ts'

/** Events of RevenueCat. */
export const samples: ProviderSamples = {
  RENEWAL: (input) => event(input, 'RENEWAL', { period_type: 'NORMAL', currency: 'EUR', price: 4.99 }),
  INITIAL_PURCHASE: (input) =>
    event(input, 'INITIAL_PURCHASE', { period_type: 'TRIAL', currency: 'EUR', price: 0, is_trial_conversion: false }),
  CANCELLATION: (input) => event(input, 'CANCELLATION', { cancel_reason: 'UNSUBSCRIBE' }),
}

function event({ id, at, unique }: SampleInput, type: string, parts: Readonly<Record<string, unknown>>): EventToSign {
  return {
    type,
    payload: {
      api_version: '1.0',
      event: {
        id: id ?? uuidOf(unique),
        type,
        event_timestamp_ms: at.getTime(),
        app_user_id: 'customer-1001',
        original_transaction_id: String(numberOf(unique)),
        product_id: 'com.example.monthly',
        entitlement_ids: ['pro'],
        environment: 'PRODUCTION',
        store: 'APP_STORE',
        ...parts,
      },
    },
  }
}
