import type { EventToSign } from '../../index.ts'
import { type ProviderSamples, type SampleInput, uuidOf } from './sample.ts'

/** Events of Klarna. */
export const samples: ProviderSamples = {
  'payment.request.state-change.completed': (input) =>
    event(input, 'payment.request.state-change.completed', {
      payment_request_id: `krn:payment:eu1:request:${uuidOf(input.unique)}`,
      payment_request_reference: 'order-1001',
      state: 'COMPLETED',
      previous_state: 'IN_PROGRESS',
      updated_at: input.at.toISOString(),
    }),
  'payment.request.state-change.expired': (input) =>
    event(input, 'payment.request.state-change.expired', {
      payment_request_id: `krn:payment:eu1:request:${uuidOf(input.unique)}`,
      payment_request_reference: 'order-1002',
      state: 'EXPIRED',
      previous_state: 'SUBMITTED',
      updated_at: input.at.toISOString(),
    }),
}

function event({ id, at, unique }: SampleInput, type: string, payload: Readonly<Record<string, unknown>>): EventToSign {
  const metadata = {
    event_type: type,
    event_id: id ?? uuidOf(unique),
    event_version: 'v2',
    occurred_at: at.toISOString(),
    correlation_id: uuidOf(`a${unique}`),
    subject_account_id: 'krn:partner:global:account:test:HGBY07TR',
    recipient_account_id: 'krn:partner:global:account:test:LWT2XJSE',
    live: false,
  }
  return { type, payload: { metadata, payload } }
}
