import type { Clock } from '../clock.ts'
import type { Delivery } from '../delivery/delivery.ts'
import type { ShadowVerdict } from '../store/shadow-store.ts'
import type { IdentifiedEvent, Provider } from '../verify/provider.ts'

/** What Oncehook would have said to a delivery. */
export type Judged =
  | { readonly verdict: 'authentic'; readonly events: readonly IdentifiedEvent[]; readonly secretIndex: number }
  | { readonly verdict: Exclude<ShadowVerdict, 'authentic' | 'missed'>; readonly reason?: string }

/** The same way as at the door, but nothing is answered or kept. */
export async function judgeDelivery(provider: Provider, delivery: Delivery, clock: Clock): Promise<Judged> {
  if (!provider.methods.includes(delivery.method)) return { verdict: 'malformed', reason: 'method_not_allowed' }
  const greeting = await provider.handshake(delivery, 'before_verification')
  if (greeting !== undefined) return { verdict: 'kind' in greeting ? 'malformed' : 'handshake' }
  const secrets = await provider.secretsFor(delivery)
  const verdict = provider.verify(delivery, clock.now(), secrets)
  if (verdict.kind === 'malformed') return { verdict: 'malformed' }
  if (verdict.kind === 'forged') return { verdict: 'forged', reason: verdict.reason }
  const { secretIndex } = verdict
  const late = await provider.handshake(delivery, 'after_verification', [secrets[secretIndex]])
  if (late !== undefined) return { verdict: 'kind' in late ? 'malformed' : 'handshake' }
  const events = provider.identify(delivery)
  return 'kind' in events ? { verdict: 'malformed' } : { verdict: 'authentic', events, secretIndex }
}
