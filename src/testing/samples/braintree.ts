import type { EventToSign } from '../../index.ts'
import { type ProviderSamples, type SampleInput } from './sample.ts'

/** The name of the key that the samples are signed with. */
export const settings: Readonly<Record<string, unknown>> = { publicKey: 'integration_public_key' }

/** Notifications of Braintree. */
export const samples: ProviderSamples = {
  subscription_charged_successfully: (input) =>
    notification(input, 'subscription_charged_successfully', {
      subscription: {
        id: subjectId(input),
        planId: 'monthly',
        status: 'Active',
        price: '49.99',
        billingDayOfMonth: 15,
        transactions: [{ id: input.unique.slice(0, 8), status: 'submitted_for_settlement', amount: '49.99' }],
      },
    }),
  dispute_opened: (input) =>
    notification(input, 'dispute_opened', {
      dispute: { id: subjectId(input), amount: '49.99', currencyIsoCode: 'EUR', kind: 'chargeback', status: 'open' },
    }),
}

function subjectId({ id, unique }: SampleInput): string {
  return id?.split(':').at(-1) ?? unique.slice(0, 12)
}

function notification({ id, at }: SampleInput, type: string, subject: Readonly<Record<string, unknown>>): EventToSign {
  const own = id?.includes(':') === true ? {} : { kind: type, timestamp: `${at.toISOString().slice(0, 19)}Z` }
  return { ...(id === undefined ? {} : { id }), type, payload: { ...own, subject } }
}
