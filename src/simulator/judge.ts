import type { ProviderFacts, SendingRules, StatusPattern } from '../index.ts'
import type { Reply } from '../prover/sender.ts'

/** How an attempt ended for the provider. */
export type AttemptEnd =
  | { readonly kind: 'answered'; readonly reply: Extract<Reply, { kind: 'answered' }> }
  /** No answer came in time. */
  | { readonly kind: 'timeout' }
  /** No connection, or one that broke. */
  | { readonly kind: 'connection'; readonly reason: string }

/** What the provider makes of it. `final` is a failure after which it does not try again, and why. */
export type Judgement =
  | { readonly kind: 'success' }
  | { readonly kind: 'retry'; readonly afterAtLeastSeconds: number }
  | { readonly kind: 'final'; readonly why: string }

/** By the provider's own rules. */
export function judgeAttempt(facts: ProviderFacts, type: string, end: AttemptEnd): Judgement {
  const { sending } = facts
  if (end.kind === 'answered' && isSuccess(sending, end.reply)) return { kind: 'success' }
  if (sending.typesSentOnce?.some((beginning) => type.startsWith(beginning)) === true) {
    return { kind: 'final', why: `${type} is never sent again` }
  }
  const why = whyFinal(sending, end)
  if (why !== undefined) return { kind: 'final', why }
  return { kind: 'retry', afterAtLeastSeconds: askedPause(sending, end) }
}

/** True if the provider takes this answer for success. */
export function isSuccess(
  { successes = ['2xx'], successBody }: SendingRules,
  { status, body = '' }: Extract<Reply, { kind: 'answered' }>,
): boolean {
  if (!matchesStatus(status, successes)) return false
  if (successBody === undefined) return true
  return successBody === 'empty' ? body === '' : body.includes(successBody.holds)
}

function whyFinal(sending: SendingRules, end: AttemptEnd): string | undefined {
  switch (end.kind) {
    case 'timeout':
      return sending.isTimeoutRetried === false ? 'a time-out is not retried' : undefined
    case 'connection':
      return sending.isConnectionFailureRetried === false ? 'a lost connection is not retried' : undefined
    case 'answered': {
      const { status, headers } = end.reply
      const { stopHeader, finalStatuses = [], retriedStatuses } = sending
      if (stopHeader !== undefined && headers?.[stopHeader.name] === stopHeader.value) {
        return `the answer said ${stopHeader.name}: ${stopHeader.value}`
      }
      const isFinal = matchesStatus(status, finalStatuses)
      const isRetried = retriedStatuses === undefined || matchesStatus(status, retriedStatuses)
      return isFinal || !isRetried ? `${status} is not retried` : undefined
    }
  }
}

function askedPause({ retryAfterUpToSeconds }: SendingRules, end: AttemptEnd): number {
  if (end.kind !== 'answered' || retryAfterUpToSeconds === undefined) return 0
  return Math.min(end.reply.retryAfterSeconds ?? 0, retryAfterUpToSeconds)
}

function matchesStatus(status: number, patterns: readonly StatusPattern[]): boolean {
  return patterns.some((pattern) => pattern === status || pattern === `${Math.floor(status / 100)}xx`)
}
