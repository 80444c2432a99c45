import type { KeyObject } from 'node:crypto'
import type { ComposedEvent, EventToCompose } from './compose.ts'
import type { Identify } from './identity.ts'
import type { Incoming, ReadDocument } from './incoming.ts'
import type { Answer, AnswerSituation, Confidence, HandshakeAnswer } from './provider.ts'
import type { Scheme } from './scheme.ts'
import type { SendingRules } from './sending-rules.ts'

/** Answers a handshake, or undefined if this is none. A promise where an answer alone does not do (SNS wants a visit). */
export type Handshake = (incoming: Incoming, keys: HandshakeKeys) => HandshakeAnswer | Promise<HandshakeAnswer>

/** For answers that prove that we know the secret: after verification the key that signed, before it all keys of the source. */
export type HandshakeKeys = () => readonly KeyObject[] | Promise<readonly KeyObject[]>

export type { ReadDocument } from './incoming.ts'
export type { HandshakeAnswer } from './provider.ts'

/** A provider as data: how it signs, where its ids are, what it expects. */
export type ProviderDeclaration = {
  /** Lower case, words joined by hyphens. */
  readonly name: string
  readonly title?: string
  /** The address of the provider's own description. */
  readonly documentation?: string
  readonly scheme: Scheme
  readonly identify: Identify
  /**
   * The members of the document that `identify` reads, as paths such as `data.object.id`. All of the body is then checked, but only these
   * are built, which takes half the time: to `identify`, the document holds nothing else. Leave it out if `identify` needs the whole.
   */
  readonly reads?: readonly string[]
  /** Where the id is, for the detail of a refusal. */
  readonly idField?: string
  /** Whether the signature covers the id. Default false. */
  readonly isIdSigned?: boolean
  /** What a receiver has to know where no id can be trusted to be stable and unique. */
  readonly identityAdvice?: string
  /** Whether one delivery can hold several events. Default false. */
  readonly isBatch?: boolean
  /** Whether events arrive in order. Default: nobody says so. */
  readonly order?: 'guaranteed' | 'not_guaranteed'
  /** How far what is said here can be trusted. Default: not said, as for a declaration of one's own. */
  readonly confidence?: Confidence
  /** What nobody could check, each as a short phrase. */
  readonly uncertain?: readonly string[]
  /** What its proof does not prove, beyond what the scheme says. */
  readonly weaknesses?: readonly string[]
  /** What surprised us, each as a sentence. */
  readonly surprises?: readonly string[]
  readonly retryHours?: number
  /** When it tries again, in words. */
  readonly retrySchedule?: string
  /** The same and what else is known of how it sends, as data. */
  readonly sending?: SendingRules
  /** The answers it takes for success, in words. Default `2xx`. */
  readonly successStatus?: string
  /** How it greets a new endpoint, in words. */
  readonly handshakeGuide?: string
  /** Whether an event that was answered with an error is sent again. Default: if there are retries at all. */
  readonly isFailureRetried?: boolean
  readonly manualReplayDays?: number
  readonly deadlineSeconds?: number
  /** Default 1 MB. */
  readonly maximumBodyBytes?: number
  /** Default POST. */
  readonly methods?: readonly string[]
  /** The form field that holds the JSON, where it can come inside a form. */
  readonly documentField?: string
  /** The document, where the body is neither JSON nor such a form: handlers get it as their payload. */
  readonly readDocument?: ReadDocument
  readonly handshakes?: { readonly before_verification?: Handshake; readonly after_verification?: Handshake }
  readonly answer?: (incoming: Incoming, situation: AnswerSituation) => Answer | undefined
  /**
   * The status for what is not believed or not understood, where 401 and 400 would make the provider drop events for good:
   * a wrong clock or secret of ours must not cost events. `withoutBody` for a provider that takes no body in any answer.
   */
  readonly refusalStatus?: { readonly forged?: number; readonly malformed?: number; readonly withoutBody?: true }
  /** An event as the provider sends it, for tests and simulators. */
  readonly compose?: (event: EventToCompose, at: Date) => ComposedEvent
  /** The options beyond those that every provider takes, and what each means. */
  readonly ownOptions?: Readonly<Record<string, string>>
  readonly mistakes?: readonly string[]
  readonly warnings?: readonly string[]
}
