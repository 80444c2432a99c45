import type { EventToSign } from '../../index.ts'
import { numberOf, type ProviderSamples, type SampleInput } from './sample.ts'

/** Events of Wise. */
export const samples: ProviderSamples = {
  'transfers#state-change': (input) =>
    event(input, 'transfers#state-change', {
      resource: { type: 'transfer', id: objectId(input), profile_id: 222, account_id: 333 },
      current_state: 'outgoing_payment_sent',
      previous_state: 'funds_converted',
    }),
  'balances#credit': (input) =>
    event(input, 'balances#credit', {
      resource: { type: 'balance-account', id: objectId(input), profile_id: 222 },
      transaction_type: 'credit',
      amount: 42,
      currency: 'EUR',
      post_transaction_balance_amount: 142,
    }),
}

function event({ at }: SampleInput, type: string, data: Readonly<Record<string, unknown>>): EventToSign {
  return {
    type,
    payload: {
      data: { ...data, occurred_at: `${at.toISOString().slice(0, 19)}Z` },
      subscription_id: '01234567-89ab-cdef-0123-456789abcdef',
      event_type: type,
      schema_version: '2.0.0',
      sent_at: at.toISOString(),
    },
  }
}

function objectId({ id, unique }: SampleInput): string | number {
  return id ?? numberOf(unique)
}
