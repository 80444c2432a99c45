import type { EventToSign } from '../../index.ts'
import type { ProviderSamples, SampleInput } from './sample.ts'

/** Events of a sender that follows Standard Webhooks. */
export const samples: ProviderSamples = {
  'invoice.paid': (input) =>
    event(input, 'invoice.paid', { id: `inv_${input.unique}`, number: '2026-00417', amount: 4200, currency: 'EUR' }),
  'user.created': (input) =>
    event(input, 'user.created', { id: `usr_${input.unique}`, name: 'Ångström & Søn', email: 'jenny@example.com' }),
}

function event({ id, at, unique }: SampleInput, type: string, data: Readonly<Record<string, unknown>>): EventToSign {
  return { id: id ?? `msg_${unique}`, type, payload: { type, timestamp: at.toISOString(), data } }
}
