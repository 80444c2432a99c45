import type { EventToSign } from '../../index.ts'
import type { ProviderSamples, SampleInput } from './sample.ts'

/** Pings of Airtable. There is one type, something changed in a base; here from two webhooks. */
export const samples: ProviderSamples = {
  ping: (input) => ping(input, 'ach00000000000001'),
  ping_of_another_webhook: (input) => ping(input, 'ach00000000000002'),
}

function ping({ at, unique }: SampleInput, webhook: string): EventToSign {
  return {
    payload: { base: { id: `app${unique.slice(0, 14)}` }, webhook: { id: webhook }, timestamp: at.toISOString() },
  }
}
