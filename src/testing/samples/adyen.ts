import type { EventToSign } from '../../index.ts'
import { type ProviderSamples, type SampleInput } from './sample.ts'

/** Payment webhooks of Adyen. */
export const samples: ProviderSamples = {
  AUTHORISATION: (input) =>
    item(input, 'AUTHORISATION', {
      additionalData: { authCode: '1234', cardSummary: '7777', expiryDate: '03/2030' },
      operations: ['CANCEL', 'CAPTURE', 'REFUND'],
      reason: '1234:7777:03/2030',
    }),
  REFUND: (input) => item(input, 'REFUND', { originalReference: '7914073381342284', reason: '' }),
  CHARGEBACK: (input) =>
    item(input, 'CHARGEBACK', {
      originalReference: '7914073381342284',
      reason: 'Fraudulent transaction',
      additionalData: { chargebackReasonCode: '10.4', disputeStatus: 'Undefended' },
    }),
}

function item({ id, unique }: SampleInput, type: string, fields: Readonly<Record<string, unknown>>): EventToSign {
  return { id: id ?? `${type}:${unique.slice(0, 16).toUpperCase()}:true`, type, payload: fields }
}
