import type { EventToSign } from '../../index.ts'
import type { ProviderSamples, SampleInput } from './sample.ts'

/** Messages of a sender that uses Svix. */
export const samples: ProviderSamples = {
  'invoice.paid': (input) =>
    event(input, 'invoice.paid', { id: `inv_${input.unique}`, number: '2026-00417', total: 44700, currency: 'eur' }),
  'customer.created': (input) =>
    event(input, 'customer.created', { id: `cus_${input.unique}`, name: 'Ångström & Søn', email: 'jenny@example.com' }),
}

function event({ id, at, unique }: SampleInput, type: string, data: Readonly<Record<string, unknown>>): EventToSign {
  return { id: id ?? `msg_${unique}`, type, payload: { type, timestamp: at.toISOString(), data } }
}
