import { type DeliveryInput, toDelivery } from './delivery/delivery.ts'
import type { Provider } from './verify/provider.ts'
import type { ForgedReason } from './verify/verdict.ts'

/** What the door would make of a delivery, with the likely cause where it would turn it away. */
export type Diagnosis =
  | {
      readonly verdict: 'authentic'
      /** Which of the source's secrets verified it; 0 is the first. */
      readonly secretIndex: number
      readonly events: readonly { readonly id: string; readonly type: string }[]
    }
  | { readonly verdict: 'handshake' }
  | { readonly verdict: 'forged'; readonly reason: ForgedReason; readonly hint: string | undefined }
  | { readonly verdict: 'malformed'; readonly hint: string }
  /** The secrets had to be looked up, and that failed. */
  | { readonly verdict: 'unavailable'; readonly hint: string }

/** Walks a delivery past the provider as `receive` does, and records nothing. */
export async function diagnoseDelivery(provider: Provider, input: DeliveryInput, at: Date): Promise<Diagnosis> {
  const delivery = toDelivery(input)
  const { methods, settings } = provider
  if (!methods.includes(delivery.method)) {
    return {
      verdict: 'malformed',
      hint: `The method is ${delivery.method}; this provider calls with ${methods.join(', ')}.`,
    }
  }
  if (delivery.body.byteLength > settings.maximumBodyBytes) {
    return { verdict: 'malformed', hint: `The body is larger than ${settings.maximumBodyBytes} bytes.` }
  }
  const greeting = await provider.handshake(delivery, 'before_verification')
  if (greeting !== undefined) return greetingOf(greeting)
  let secrets: Awaited<ReturnType<Provider['secretsFor']>>
  try {
    secrets = await provider.secretsFor(delivery)
  } catch {
    return { verdict: 'unavailable', hint: 'The look-up of the secrets failed; the log says why.' }
  }
  const verdict = provider.verify(delivery, at, secrets)
  if (verdict.kind === 'forged') return { verdict: 'forged', reason: verdict.reason, hint: verdict.hint }
  if (verdict.kind === 'malformed') return { verdict: 'malformed', hint: verdict.detail }
  const { secretIndex } = verdict
  const second = await provider.handshake(delivery, 'after_verification', [secrets[secretIndex]])
  if (second !== undefined) return greetingOf(second)
  const events = provider.identify(delivery)
  if ('kind' in events) return { verdict: 'malformed', hint: events.detail }
  return { verdict: 'authentic', secretIndex, events: events.map(({ id, type }) => ({ id, type })) }
}

function greetingOf(answer: object): Diagnosis {
  return 'detail' in answer && typeof answer.detail === 'string'
    ? { verdict: 'malformed', hint: answer.detail }
    : { verdict: 'handshake' }
}
