import type { ComposedEvent, EventToCompose } from './compose.ts'
import type { Identify } from './identity.ts'
import type { Incoming } from './incoming.ts'
import type { Answer, AnswerSituation } from './provider.ts'
import type { Scheme } from './scheme.ts'
import type { Malformed } from './verdict.ts'

/** Answers a handshake, or undefined if this is none. */
export type Handshake = (incoming: Incoming) => Answer | Malformed | undefined

/** A provider as data: how it signs, where its ids are, what it expects. */
export type ProviderDeclaration = {
  /** Lower case, words joined by hyphens. */
  readonly name: string
  readonly title?: string
  /** The address of the provider's own description. */
  readonly documentation?: string
  readonly scheme: Scheme
  readonly identify: Identify
  /** Where the id is, for the detail of a refusal. */
  readonly idField?: string
  /** Whether the signature covers the id. Default false. */
  readonly isIdSigned?: boolean
  readonly retryHours?: number
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
  readonly handshakes?: { readonly before_verification?: Handshake; readonly after_verification?: Handshake }
  readonly answer?: (incoming: Incoming, situation: AnswerSituation) => Answer | undefined
  /** An event as the provider sends it, for tests and simulators. */
  readonly compose?: (event: EventToCompose, at: Date) => ComposedEvent
  /** The names of options beyond those that every provider takes. */
  readonly ownOptions?: readonly string[]
  readonly mistakes?: readonly string[]
  readonly warnings?: readonly string[]
}
