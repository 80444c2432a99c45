import { type Delivery, toDeliveryHeaders } from '../delivery/delivery.ts'
import type { CaptureIdentity, HeaderPair } from '../store/capture-store.ts'
import type { Provider } from '../verify/provider.ts'

/** What is looked at to tell whose event it is. */
export type Identifiable = {
  /** Of a capture endpoint or of a source: a name that is a provider's, or one of a source, says much. */
  readonly name: string
  readonly method: string
  readonly headers: readonly HeaderPair[]
  readonly content: Uint8Array
}

/** What a provider would call the event, as far as headers and body say so. Nothing is verified, and nothing is ever an error. */
export type IdentifyCapture = (given: Identifiable) => Promise<CaptureIdentity | undefined>

export type IdentifyParts = {
  /** The sources of the gateway, which are asked first. */
  readonly sources: Readonly<Record<string, Provider>>
  /** All providers that are known; read when they are first needed. */
  readonly catalogue: (() => Promise<readonly Provider[]>) | undefined
}

/** Many providers speak the same dialect. Where nothing else tells them apart, it is called by its own name. */
const dialects = ['standard-webhooks', 'svix']

export function createIdentify({ sources, catalogue }: IdentifyParts): IdentifyCapture {
  let known: Promise<readonly Provider[]> | undefined
  return async (given) => {
    if (given.content.length === 0) return undefined
    try {
      const delivery = deliveryOf(given)
      const own = Object.entries(sources)
      const named = own.find(([name]) => name === given.name)?.[1]
      const found =
        eventOf(named, delivery) ??
        oneOf(
          signedAs(
            own.map(([, provider]) => provider),
            delivery,
          ),
          delivery,
        )
      if (found !== undefined || catalogue === undefined) return found
      known ??= catalogue().catch(() => [])
      const all = await known
      const called = all.find(({ name }) => name === given.name)
      return eventOf(called, delivery) ?? oneOf(signedAs(all, delivery), delivery)
    } catch {
      return undefined
    }
  }
}

function deliveryOf({ method, headers, content }: Identifiable): Delivery {
  return { method, url: 'http://localhost/', headers: toDeliveryHeaders(headers), body: content }
}

/** Those whose own header for the proof is there. Everybody may send an `authorization`. */
function signedAs(providers: readonly Provider[], { headers }: Delivery): readonly Provider[] {
  return providers.filter(({ proof }) => proof.headers.some((name) => name !== 'authorization' && headers.has(name)))
}

/** The event, if only one of them would know it, or all that would are of one dialect. */
function oneOf(candidates: readonly Provider[], delivery: Delivery): CaptureIdentity | undefined {
  const found = candidates.flatMap((provider) => eventOf(provider, delivery) ?? [])
  const names = new Set(found.map(({ provider }) => provider))
  if (names.size <= 1) return found[0]
  return found.find(({ provider }) => dialects.includes(provider))
}

function eventOf(provider: Provider | undefined, delivery: Delivery): CaptureIdentity | undefined {
  if (provider === undefined) return undefined
  const events = provider.identify(delivery)
  if ('kind' in events) return undefined
  const [first] = events
  return first === undefined ? undefined : { provider: provider.name, eventId: first.id, type: first.type }
}
