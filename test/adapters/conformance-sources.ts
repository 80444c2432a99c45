import { hmac } from '../../src/providers/hmac.ts'
import { twilio } from '../../src/providers/twilio.ts'
import type { Provider } from '../../src/verify/provider.ts'

const secret = 'a secret of thirty-two characters'
const acme = {
  secret,
  header: 'x-acme-signature',
  id: { header: 'x-acme-id' },
  type: { header: 'x-acme-type' },
} as const

/** What every framework receives. The apps of `frameworks/` have the same in `inbox.mjs`. */
export const conformanceSources: Readonly<Record<SourceName, Provider>> = {
  acme: hmac({ ...acme, maximumBodyBytes: 30_000_000 }),
  small: hmac({ ...acme, maximumBodyBytes: 1000 }),
  queued: hmac({ ...acme, mode: 'queued' }),
  called: twilio({ secret }),
  proxied: twilio({ secret, publicUrl: 'https://hooks.example.com' }),
}

export type SourceName = 'acme' | 'small' | 'queued' | 'called' | 'proxied'
