import { createHash } from 'node:crypto'
import type { Accept } from './accept.ts'
import type { Clock } from './clock.ts'
import { type Delivery, type DeliveryInput, toDelivery } from './delivery/delivery.ts'
import type { EventOutcome, Outcome } from './delivery/outcome.ts'
import { storedHeaders } from './delivery/stored-headers.ts'
import { matches } from './effects/handler-registry.ts'
import { createBodyId } from './receipt/body-id.ts'
import type { BodyToStore, SignedBody } from './receipt/receipt.ts'
import { createSignedKey } from './receipt/signed-key.ts'
import type { IdentifiedEvent, Provider, ResolvedSecrets } from './verify/provider.ts'

export type ReceiveParts = {
  readonly environment: string
  readonly sources: ReadonlyMap<string, Provider>
  readonly accept: Accept
  readonly clock: Clock
  readonly whenInlineFails: 'redeliver' | 'queue' | undefined
  /** Told of a look-up of secrets that failed. */
  readonly onSecretLookupFailed: (source: string, error: unknown) => void
  /** Told the outcome of each delivery; of a batch, of each event. */
  readonly observe: (observed: ObservedDelivery) => void
}

export type ObservedDelivery = {
  readonly source: string
  /** Undefined for an unknown source. */
  readonly provider: Provider | undefined
  readonly delivery: Delivery
  readonly outcome: Exclude<Outcome, { kind: 'batch' }>
  readonly event: IdentifiedEvent | undefined
  readonly secretIndex: number | undefined
  readonly latencyMilliseconds: number
}

/** A delivery is verified, identified, recorded and answered. Nothing is parsed or stored of what is not authentic. */
export type Receive = (source: string, delivery: DeliveryInput) => Promise<Outcome>

export function createReceive(parts: ReceiveParts): Receive {
  const { environment, sources, accept, clock, whenInlineFails, observe, onSecretLookupFailed } = parts

  return async function receive(source, input) {
    const startedAt = performance.now()
    const provider = sources.get(source)
    const delivery = toDelivery(input)
    const conclude = <Kind extends ObservedDelivery['outcome']>(
      outcome: Kind,
      event?: IdentifiedEvent,
      secretIndex?: number,
    ): Kind => {
      observe({
        source,
        provider,
        delivery,
        outcome,
        event,
        secretIndex,
        latencyMilliseconds: performance.now() - startedAt,
      })
      return outcome
    }

    if (provider === undefined) return conclude({ kind: 'unknown_source', source })
    const admitted = await authenticate(source, provider, delivery)
    if (admitted.kind !== 'authentic') return conclude(admitted)

    const { secretIndex, events } = admitted
    const body = bodyOf(delivery, clock.now())
    const signedBody = signedBodyOf(source, provider, { delivery, body, events })
    const outcomes = await Promise.all(
      events.map(async (event) =>
        conclude(await take(source, provider, { event, body, secretIndex, signedBody }), event, secretIndex),
      ),
    )
    const [only] = outcomes
    return outcomes.length === 1 && only !== undefined ? only : { kind: 'batch', outcomes }
  }

  /** The order matters: what is cheap first, and nothing is parsed before it is believed. */
  async function authenticate(source: string, provider: Provider, delivery: Delivery): Promise<Admitted> {
    const { methods, settings } = provider
    if (!methods.includes(delivery.method)) return { kind: 'method_not_allowed', allowed: methods }
    const limitBytes = settings.maximumBodyBytes
    if (delivery.body.byteLength > limitBytes) return { kind: 'too_large', limitBytes }

    const greeting = await provider.handshake(delivery, 'before_verification')
    if (greeting !== undefined) return 'kind' in greeting ? greeting : { kind: 'handshake', answer: greeting }

    const secrets = await secretsOf(source, provider, delivery)
    if (secrets === undefined) return { kind: 'unavailable', reason: 'secret_lookup', retryAfterSeconds: 5 }
    const verdict = provider.verify(delivery, clock.now(), secrets)
    if (verdict.kind !== 'authentic') return verdict

    const signedGreeting = await provider.handshake(delivery, 'after_verification', [secrets[verdict.secretIndex]])
    if (signedGreeting !== undefined) {
      return 'kind' in signedGreeting ? signedGreeting : { kind: 'handshake', answer: signedGreeting }
    }
    const events = provider.identify(delivery)
    return 'kind' in events ? events : { kind: 'authentic', secretIndex: verdict.secretIndex, events }
  }

  /** A user's look-up may fail: then it is not known whether the delivery is authentic, and it has to come again. */
  async function secretsOf(
    source: string,
    provider: Provider,
    delivery: Delivery,
  ): Promise<ResolvedSecrets | undefined> {
    try {
      return await provider.secretsFor(delivery)
    } catch (error) {
      onSecretLookupFailed(source, error)
      return undefined
    }
  }

  function take(source: string, provider: Provider, parts: EventParts): Promise<EventOutcome> {
    const { settings, facts } = provider
    const { event, body, secretIndex, signedBody } = parts
    const eventId = event.id
    if (settings.types !== undefined && !settings.types.some((pattern) => matches(pattern, event.type))) {
      return Promise.resolve({ kind: 'ignored', eventId, reason: 'not_allowed' })
    }
    // With a provider that does not send again, what fails inline would be lost.
    const byFacts = facts.isFailureRetried ? 'redeliver' : 'queue'
    return accept({
      receipt: {
        environment,
        source,
        eventId,
        event,
        body,
        secretIndex,
        disposition: 'queued',
        orderKey: undefined,
        signedBody,
      },
      patienceMilliseconds: Math.max(500, (facts.deadlineSeconds ?? 10) * 1000 - 500),
      whenInlineFails: settings.whenInlineFails ?? whenInlineFails ?? byFacts,
    })
  }

  /** Undefined where the signature covers the ids, as it also does those of a batch, which are in the body. */
  function signedBodyOf(
    source: string,
    { facts, settings, tenantOf }: Provider,
    { delivery, body, events }: AuthenticParts,
  ): SignedBody | undefined {
    if (facts.isIdSigned || events.length !== 1 || events[0]?.part !== undefined) return undefined
    const key = createSignedKey({ environment, source, tenant: tenantOf(delivery), bodyHash: body.hash })
    return { key, whenRepeated: settings.replayedBody }
  }
}

type Admitted =
  | Exclude<Outcome, EventOutcome | { kind: 'batch' }>
  | Extract<Outcome, { kind: 'unavailable' }>
  | { readonly kind: 'authentic'; readonly secretIndex: number; readonly events: readonly IdentifiedEvent[] }

type AuthenticParts = {
  readonly delivery: Delivery
  readonly body: BodyToStore
  readonly events: readonly IdentifiedEvent[]
}

type EventParts = {
  readonly event: IdentifiedEvent
  readonly body: BodyToStore
  readonly secretIndex: number
  readonly signedBody: SignedBody | undefined
}

function bodyOf({ body, headers }: Delivery, at: Date): BodyToStore {
  return {
    id: createBodyId(at),
    content: body,
    hash: createHash('sha256').update(body).digest(),
    headers: storedHeaders(headers),
  }
}
