import type { Accept } from './accept.ts'
import type { Clock } from './clock.ts'
import { type Delivery, type DeliveryInput, toDelivery } from './delivery/delivery.ts'
import type { EventOutcome, Outcome } from './delivery/outcome.ts'
import { storedHeaders } from './delivery/stored-headers.ts'
import { matches } from './effects/handler-registry.ts'
import { createBodyId } from './receipt/body-id.ts'
import type { BodyToStore, SignedBody } from './receipt/receipt.ts'
import { signedBodyOf } from './receipt/signed-body.ts'
import type { RedactDelivery } from './redact-delivery.ts'
import { sha256 } from './verify/bytes.ts'
import { PassedDocument } from './verify/passed-document.ts'
import type { Answer, IdentifiedEvent, Provider, ResolvedSecrets } from './verify/provider.ts'
import type { Malformed } from './verify/verdict.ts'

export type ReceiveParts = {
  readonly environment: string
  readonly sources: ReadonlyMap<string, Provider>
  readonly accept: Accept
  readonly clock: Clock
  /** Undefined where no source has anything to leave out. */
  readonly redact: RedactDelivery | undefined
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
  /** Of the delivery, and of its body if that is stored. */
  readonly bodyId: string
  readonly outcome: Exclude<Outcome, { kind: 'batch' }>
  readonly event: IdentifiedEvent | undefined
  readonly secretIndex: number | undefined
  readonly latencyMilliseconds: number
}

/** A delivery is verified, identified, recorded and answered. Nothing is parsed or stored of what is not authentic. */
export type Receive = (source: string, delivery: DeliveryInput) => Promise<Outcome>

export function createReceive(parts: ReceiveParts): Receive {
  const { environment, sources, accept, clock, redact, whenInlineFails, observe, onSecretLookupFailed } = parts

  /** Sources whose last new event was read by a handler before the answer: of the next one, all is parsed at once. */
  const readBeforeAnswer = new Set<string>()

  return async function receive(source, input) {
    const provider = sources.get(source)
    const delivery = toDelivery(input)
    const bodyId = createBodyId(clock.now())
    const arrival = { source, provider, delivery, bodyId, startedAt: performance.now() }
    if (provider === undefined) return conclude(arrival, { kind: 'unknown_source', source })
    const passed = new PassedDocument(readBeforeAnswer.has(source))
    const admitted = authenticate(source, provider, delivery, passed)
    const known = admitted instanceof Promise ? await admitted : admitted
    if (known.kind !== 'authentic') return conclude(arrival, known)

    const { secretIndex, events } = known
    const whole = bodyOf(delivery, bodyId, { proofHeaders: provider.proof.headers, passed })
    const body = redact === undefined ? whole : redact(source, { delivery, events, body: whole })
    const signedBody = signedBodyOf(provider, { environment, source, delivery, body, events })
    const takeOne = (event: IdentifiedEvent): Promise<EventOutcome> =>
      take(source, provider, { event, body, secretIndex, signedBody }).then((outcome) => {
        if (outcome.kind === 'accepted' || outcome.kind === 'processed') learnReading(source, passed)
        return conclude(arrival, outcome, event, secretIndex)
      })
    const [only] = events
    if (events.length === 1 && only !== undefined) return takeOne(only)
    return { kind: 'batch', outcomes: await Promise.all(events.map(takeOne)) }
  }

  function learnReading(source: string, { wasAskedFor }: PassedDocument): void {
    if (wasAskedFor) readBeforeAnswer.add(source)
    else readBeforeAnswer.delete(source)
  }

  function conclude<Kind extends ObservedDelivery['outcome']>(
    { source, provider, delivery, bodyId, startedAt }: Arrival,
    outcome: Kind,
    event?: IdentifiedEvent,
    secretIndex?: number,
  ): Kind {
    const latencyMilliseconds = performance.now() - startedAt
    observe({ source, provider, delivery, bodyId, outcome, event, secretIndex, latencyMilliseconds })
    return outcome
  }

  /** Most providers can be judged at once; only handshakes and look-ups of secrets are worth waiting for. The order matters: what is cheap first, and nothing is parsed before it is believed. */
  function authenticate(
    source: string,
    provider: Provider,
    delivery: Delivery,
    passed: PassedDocument,
  ): Admitted | Promise<Admitted> {
    const { methods, settings } = provider
    if (!methods.includes(delivery.method)) return { kind: 'method_not_allowed', allowed: methods }
    const limitBytes = settings.maximumBodyBytes
    if (delivery.body.byteLength > limitBytes) return { kind: 'too_large', limitBytes }

    const greeting = provider.handshake(delivery, 'before_verification')
    return whenThere(greeting, (answer) => {
      if (answer !== undefined) return greetingOf(answer)
      return whenThere(secretsOf(source, provider, delivery), (secrets) => judge(provider, delivery, secrets, passed))
    })
  }

  function judge(
    provider: Provider,
    delivery: Delivery,
    secrets: ResolvedSecrets | undefined,
    passed: PassedDocument,
  ): Admitted | Promise<Admitted> {
    if (secrets === undefined) return { kind: 'unavailable', reason: 'secret_lookup', retryAfterSeconds: 5 }
    const verdict = provider.verify(delivery, clock.now(), secrets)
    if (verdict.kind !== 'authentic') return verdict

    const { secretIndex } = verdict
    return whenThere(provider.handshake(delivery, 'after_verification', [secrets[secretIndex]]), (answer) => {
      if (answer !== undefined) return greetingOf(answer)
      const events = provider.identify(delivery, passed)
      return 'kind' in events ? events : { kind: 'authentic', secretIndex, events }
    })
  }

  /** A user's look-up may fail: then it is not known whether the delivery is authentic, and it has to come again. */
  function secretsOf(
    source: string,
    provider: Provider,
    delivery: Delivery,
  ): ResolvedSecrets | undefined | Promise<ResolvedSecrets | undefined> {
    const fail = (error: unknown): undefined => {
      onSecretLookupFailed(source, error)
      return undefined
    }
    try {
      const found = provider.secretsFor(delivery)
      return found instanceof Promise ? found.catch(fail) : found
    } catch (error) {
      return fail(error)
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
        isKeyKept: settings.keepDays === 'forever',
      },
      patienceMilliseconds: Math.max(500, (facts.deadlineSeconds ?? 10) * 1000 - 500),
      whenInlineFails: settings.whenInlineFails ?? whenInlineFails ?? byFacts,
    })
  }
}

type Admitted =
  | Exclude<Outcome, EventOutcome | { kind: 'batch' }>
  | Extract<Outcome, { kind: 'unavailable' }>
  | { readonly kind: 'authentic'; readonly secretIndex: number; readonly events: readonly IdentifiedEvent[] }

/** A delivery on its way, and since when. */
type Arrival = {
  readonly source: string
  readonly provider: Provider | undefined
  readonly delivery: Delivery
  readonly bodyId: string
  readonly startedAt: number
}

/** Goes on at once with what is there already: for each delivery, a promise more is a turn of the event loop more. */
function whenThere<Value, Result>(
  value: Value | Promise<Value>,
  goOn: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(goOn) : goOn(value)
}

function greetingOf(answer: Answer | Malformed): Admitted {
  return 'kind' in answer ? answer : { kind: 'handshake', answer }
}

type EventParts = {
  readonly event: IdentifiedEvent
  readonly body: BodyToStore
  readonly secretIndex: number
  readonly signedBody: SignedBody | undefined
}

function bodyOf(
  { body, headers, traceparent }: Delivery,
  id: string,
  { proofHeaders, passed }: { readonly proofHeaders: readonly string[]; readonly passed: PassedDocument },
): BodyToStore {
  return {
    id,
    passed,
    content: body,
    hash: sha256(body),
    headers: storedHeaders(headers, { traceparent, proofHeaders }),
  }
}
