import type { EventToSign } from '../../index.ts'
import { numberOf, type ProviderSamples, type SampleInput, uuidOf } from './sample.ts'

/** The app that the samples are of. */
export const settings: Readonly<Record<string, unknown>> = { bundleId: 'com.example' }

/** Notifications of the App Store, not yet signed. */
export const samples: ProviderSamples = {
  'DID_RENEW.BILLING_RECOVERY': (input) => notification(input, 'DID_RENEW.BILLING_RECOVERY', { status: 1 }),
  'SUBSCRIBED.INITIAL_BUY': (input) => notification(input, 'SUBSCRIBED.INITIAL_BUY', { status: 1 }),
  REFUND: (input) => notification(input, 'REFUND', { consumptionRequestReason: 'UNINTENDED_PURCHASE' }),
}

function notification(input: SampleInput, type: string, data: Readonly<Record<string, unknown>>): EventToSign {
  const { id, unique } = input
  return { id: id ?? uuidOf(unique), type, payload: { data: { ...data, signedTransactionInfo: transaction(input) } } }
}

/** Shaped like the signed text in a notification; what covers it is the signature around it. */
function transaction({ at, unique }: SampleInput): string {
  const header = { alg: 'ES256' }
  const claims = {
    originalTransactionId: String(numberOf(unique)),
    transactionId: String(numberOf(unique)),
    productId: 'com.example.monthly',
    type: 'Auto-Renewable Subscription',
    purchaseDate: at.getTime(),
    environment: 'Sandbox',
  }
  return [...[header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')), 'c2FtcGxl'].join(
    '.',
  )
}
