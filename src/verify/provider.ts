import type { Delivery, DeliveryInput } from '../delivery/delivery.ts'
import type { UntypedPayloads } from '../payloads/payloads.ts'
import type { Redact } from '../privacy/redaction.ts'
import type { EventHistory } from './event-history.ts'
import type { ParsedJson } from './json.ts'
import type { PassedDocument } from './passed-document.ts'
import type { SecretList } from './secret-list.ts'
import type { SendingRules } from './sending-rules.ts'
import type { Malformed, Verdict } from './verdict.ts'

/** One event of a delivery. Most deliveries carry one, a batch carries many. */
export type IdentifiedEvent = {
  /** The provider's stable id: equal for every delivery of the event, different for every other event. */
  readonly id: string
  readonly type: string
  /** The id of this one delivery, where the provider has one that differs from the event's. */
  readonly deliveryId?: string
  /** The thing the event is about, for example an invoice. */
  readonly objectId?: string
  /** When it happened, by the provider's clock. */
  readonly occurredAt?: Date
  /** For a batch: the JSON pointer (RFC 6901) of this event inside the document. */
  readonly part?: string
}

/**
 * How far the facts of a provider can be trusted: `executed`, its own library was run against them; `source`, read in its source;
 * `documents`, read in its documents; `unsure`, second-hand or remembered.
 */
export type Confidence = 'executed' | 'source' | 'documents' | 'unsure'

/** What is known of a provider, as plain data. `undefined` means that nobody documents it. */
export type ProviderFacts = {
  readonly title: string
  readonly documentation: string
  readonly confidence: Confidence | undefined
  /** What nobody could check. */
  readonly uncertain: readonly string[]
  /** How it signs, in a few words. */
  readonly scheme: string
  readonly isBodySigned: boolean
  readonly isUrlSigned: boolean
  /** What its proof does not prove. */
  readonly weaknesses: readonly string[]
  /** What tells its events apart. */
  readonly idField: string
  /** What a receiver has to know where no id can be trusted to be stable and unique. */
  readonly identityAdvice: string | undefined
  /** Whether one delivery can hold several events. */
  readonly isBatch: boolean
  readonly order: 'guaranteed' | 'not_guaranteed' | undefined
  /** What surprised us about it. */
  readonly surprises: readonly string[]
  /** When it tries again, in words. */
  readonly retrySchedule: string | undefined
  /** The same and what else is known of how it sends, as data. */
  readonly sending: SendingRules
  /** The answers it takes for success, in words. */
  readonly successStatus: string
  /** How it greets a new endpoint, in words. */
  readonly handshakeGuide: string | undefined
  /** How long its receipts have to be remembered, unless a user says otherwise. */
  readonly keepDays: number
  /** False if nobody documents how long it sends again: `keepDays` is then chosen carefully instead of known. */
  readonly isRetryWindowKnown: boolean
  /** The options beyond those that every provider takes, and what each means. */
  readonly ownOptions: Readonly<Record<string, string>>
  /** How long it retries by itself. 0: never. */
  readonly retryHours: number | undefined
  /** Whether it sends an event again that was answered with an error. False: only a lost connection makes it try again, if that. */
  readonly isFailureRetried: boolean
  /** For how many days a person can make it send an old event again. */
  readonly manualReplayDays: number | undefined
  /** How long it waits for an answer. */
  readonly deadlineSeconds: number | undefined
  /** The largest age (and lead) of a signed timestamp. undefined: no timestamp is signed. */
  readonly toleranceSeconds: number | undefined
  /** The largest body it sends, or the default limit. */
  readonly maximumBodyBytes: number
  /** Whether the event id is covered by the signature. */
  readonly isIdSigned: boolean
}

/** An HTTP answer, as data. */
export type Answer = {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** What a handshake leads to; undefined if it was none. */
export type HandshakeAnswer = Answer | Malformed | undefined

/** Why an answer is given to an authentic delivery; a provider may want another one for it. */
export type AnswerSituation = 'accepted' | 'processed' | 'duplicate' | 'ignored'

/** An event to be signed as the provider would. Everything has a realistic default. */
export type EventToSign = {
  readonly id?: string
  readonly type?: string
  /** The exact body. Without it one is made from `payload`, `id` and `type`. */
  readonly body?: Uint8Array | string
  readonly payload?: unknown
  readonly url?: string
  readonly method?: string
  /** Added to those the provider sends; wins over them, but never over the signature. */
  readonly headers?: Readonly<Record<string, string>>
}

/** The part of an event that a source's own functions are given. */
export type EventInBrief = {
  readonly id: string
  readonly type: string
  readonly objectId: string | undefined
  readonly payload: ReturnType<typeof JSON.parse>
}

/** Reads the object an event is about from the provider's API. */
export type FetchCurrent = (event: EventInBrief, signal: AbortSignal) => Promise<unknown>

/**
 * What tells two events of one change from two changes: `object` takes object id and type, a function names it, or says undefined
 * where nothing is to be compared.
 */
export type SameChange = 'object' | ((event: EventInBrief) => string | undefined)

/** What a user sets for one source; see `ProviderOptions` for their meaning. */
export type SourceSettings = {
  /** False if anybody is believed who knows the address. */
  readonly isVerified: boolean
  readonly mode: 'inline' | 'queued' | undefined
  readonly types: readonly string[] | undefined
  readonly maximumBodyBytes: number
  readonly decompress: 'refuse' | 'bounded'
  readonly keepDays: number | 'forever' | undefined
  readonly keepBodyDays: number | undefined
  readonly publicUrl: string | undefined
  readonly whenInlineFails: 'redeliver' | 'queue' | undefined
  readonly fetchCurrent: FetchCurrent | undefined
  readonly history: EventHistory | undefined
  readonly sameChange: SameChange | undefined
  readonly replayedBody: 'flag' | 'duplicate'
  readonly redact: Redact | undefined
}

/** Secrets in the encoding the scheme needs, ready to compare with. Opaque to everything but its provider. */
export type ResolvedSecrets = readonly unknown[]

/** A source of deliveries, ready to verify, identify and sign. Made by `stripe({...})` and the like. */
export type Provider<Payloads = UntypedPayloads> = {
  readonly name: string
  readonly facts: ProviderFacts
  readonly settings: SourceSettings
  /** Weak points of the set-up, for the log at start-up (a short secret, verification switched off, …). Never a secret. */
  readonly warnings: readonly string[]

  /** How many secrets it was given, without the secrets. Undefined where they are looked up or fetched. */
  readonly secretList?: SecretList
  /** The text with `[secret]` in place of the source's secrets, as far as they are known: for errors that others wrote. */
  readonly hideSecrets?: (text: string) => string
  /** The live secrets for this request. A promise only where the user's own look-up returns one. */
  readonly secretsFor: (delivery: DeliveryInput) => ResolvedSecrets | Promise<ResolvedSecrets>
  /** Never throws. Without `secrets`, those of `secretsFor`; a look-up that is asynchronous must be awaited by the caller. */
  readonly verify: (delivery: DeliveryInput, at: Date, secrets?: ResolvedSecrets) => Verdict
  /** The events of an authentic delivery. Never throws; never guesses an id. `passed` takes along what was parsed for it. */
  readonly identify: (delivery: DeliveryInput, passed?: PassedDocument) => readonly IdentifiedEvent[] | Malformed
  /** Whose delivery it is, where the source serves many tenants. Never throws. */
  readonly tenantOf: (delivery: DeliveryInput) => string | undefined
  /**
   * The answer to a handshake (URL verification, PING), or undefined if this is none.
   * `before_verification` is for those that carry no signature. Without `secrets`, those of `secretsFor`.
   */
  readonly handshake: (
    delivery: DeliveryInput,
    stage: 'before_verification' | 'after_verification',
    secrets?: ResolvedSecrets,
  ) => HandshakeAnswer | Promise<HandshakeAnswer>
  /** The document of an authentic delivery, for handlers; undefined where the body itself is JSON or a form. */
  readonly readDocument: ((delivery: DeliveryInput) => ParsedJson | Malformed) | undefined
  /** Statuses for what is not taken, where 401 and 400 would cost events; `withoutBody` for one that allows none. */
  readonly refusalStatus: { readonly forged?: number; readonly malformed?: number; readonly withoutBody?: true }
  /** The answer this provider needs, where ours would not do. */
  readonly answer: (delivery: DeliveryInput, situation: AnswerSituation) => Answer | undefined
  /** A delivery as the provider would send it. Throws `ONCEHOOK_CANNOT_SIGN` where only a public key is known. */
  readonly sign: (event: EventToSign, at: Date) => Delivery
  /** Where a delivery carries its proof: headers, and places in the body as paths of the option `redact`. None of it is stored. */
  readonly proof: { readonly headers: readonly string[]; readonly paths: readonly string[] }
  /** Methods the provider calls with. Anything else is answered 405. */
  readonly methods: readonly string[]
  /** Never there: carries the types of payloads, by event type, to the handlers. */
  readonly '~payloads'?: Payloads
}
