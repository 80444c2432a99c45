/** A status, or all of its class. */
export type StatusPattern = number | '2xx' | '3xx' | '4xx' | '5xx'

/**
 * When and why a provider sends again, as data, so that it can be simulated. What is left out, nobody documents.
 * How long it tries in all and how long it waits for an answer are `retryHours` and `deadlineSeconds` of the facts.
 */
export type SendingRules = {
  /** The pauses between attempts, each counted from the attempt before. The first ones, where more is said below. */
  readonly pausesSeconds?: readonly number[]
  /** What all further pauses are, until the hours or the retries are over. */
  readonly thenEverySeconds?: number
  /** How often it sends again, where the pauses alone do not say so. */
  readonly retries?: number
  /** How many times as long as the pause before each further one is. */
  readonly growth?: number
  readonly longestPauseSeconds?: number
  /** True if the documents name the first pauses and then say "and so on". */
  readonly goesOn?: true
  /** True if the figures above come from others than the provider. */
  readonly isSecondHand?: true

  /** The answers it takes for success. Default: every 2xx. */
  readonly successes?: readonly StatusPattern[]
  /** What the body of an answer has to be for success. */
  readonly successBody?: 'empty' | { readonly holds: string }
  /** The only answers after which it tries again. Default: all failures. */
  readonly retriedStatuses?: readonly StatusPattern[]
  /** Answers after which it gives up at once. */
  readonly finalStatuses?: readonly StatusPattern[]
  /** False if no answer in time is the end. */
  readonly isTimeoutRetried?: false
  /** False if a connection that fails is the end. */
  readonly isConnectionFailureRetried?: false
  /** A `Retry-After` is followed, up to here. */
  readonly retryAfterUpToSeconds?: number
  /** A header of the answer, with its value, that ends the retries. */
  readonly stopHeader?: { readonly name: string; readonly value: string }
  /** Event types that are never sent again: the beginnings of their names. */
  readonly typesSentOnce?: readonly string[]
  /** After so many events in a row that it gave up, it sends nothing more to the endpoint. */
  readonly switchedOffAfterLostEvents?: number
  /** What it also does, and a simulation does not, each as a sentence. */
  readonly leftOut?: readonly string[]
}
