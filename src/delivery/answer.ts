import type { Answer, AnswerSituation } from '../verify/provider.ts'
import type { EventOutcome, Outcome } from './outcome.ts'

/** The answers that a provider needs, where ours would not do. */
export type ProviderAnswers = {
  readonly taken: (situation: AnswerSituation) => Answer | undefined
  /** Statuses for what is not taken; one below 400 is not used. */
  readonly refused?: { readonly forged?: number; readonly malformed?: number; readonly withoutBody?: true }
}

/**
 * What the sender is told. The only place that chooses a status code.
 * A handler's own answer comes first, then the provider's, then ours.
 */
export function answerOf(outcome: Outcome, provider?: ProviderAnswers): Answer {
  if (outcome.kind === 'processed' && outcome.answer !== undefined) return outcome.answer
  const situation = situationOf(outcome)
  const theirs = situation === undefined ? undefined : provider?.taken(situation)
  if (theirs !== undefined) return theirs
  const ours = ourAnswer(outcome)
  return outcome.kind === 'forged' || outcome.kind === 'malformed'
    ? refusal(ours, provider?.refused?.[outcome.kind], provider?.refused?.withoutBody)
    : ours
}

/** The status of `answerOf`, for logs, without writing the rest of the answer. */
export function statusOf(outcome: Outcome, provider?: ProviderAnswers): number {
  switch (outcome.kind) {
    case 'accepted':
    case 'duplicate':
    case 'ignored':
      return provider?.taken(outcome.kind)?.status ?? (outcome.kind === 'accepted' ? 202 : 200)
    default:
      return answerOf(outcome, provider).status
  }
}

function refusal(ours: Answer, theirStatus = 0, withoutBody = false): Answer {
  const status = theirStatus < 400 ? ours.status : theirStatus
  return withoutBody ? { status } : { ...ours, status }
}

/** One object for all our answers, which are known to be right. */
const ourHeaders: Readonly<Record<string, string>> = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
}

/** The answer to what was turned away before it became a delivery. */
export function refusalAnswer(
  refusal: Outcome,
  settings: { readonly refusalStatus?: ProviderAnswers['refused'] } | undefined,
): Answer {
  const refused = settings?.refusalStatus
  return answerOf(refusal, refused === undefined ? undefined : { taken: () => undefined, refused })
}

/** What went wrong is for the developer's log; the sender learns only that it did, and tries again. */
export const errorAnswer: Answer = json(500, { verdict: 'error' })

/** For whoever looks after processes: whether one is alive, and whether to send traffic there. */
export function healthAnswer(state: 'alive' | 'ready' | 'not_ready'): Answer {
  return json(state === 'not_ready' ? 503 : 200, { status: state })
}

/**
 * The answer as it goes out: lower-case names, and no body where the status has none. Undefined if HTTP does not allow it:
 * a handler's answer may be anything, and one that cannot be sent must not turn a recorded event into a failure.
 */
export function sendable(answer: Answer): Answer | undefined {
  const { status, headers, body } = answer
  if (headers === ourHeaders) return answer
  if (!Number.isInteger(status) || status < 200 || status > 599) return undefined
  try {
    const lowerCased = Object.fromEntries(new Headers(headers))
    return isBodyless(status) || body === undefined
      ? { status, headers: lowerCased }
      : { status, headers: lowerCased, body }
  } catch {
    return undefined
  }
}

function isBodyless(status: number): boolean {
  return status === 204 || status === 205 || status === 304
}

/** The situation a provider is asked about; undefined where the delivery is not taken, so that no provider can answer 2xx to it. */
function situationOf(outcome: Outcome): AnswerSituation | undefined {
  switch (outcome.kind) {
    case 'accepted':
    case 'processed':
    case 'duplicate':
    case 'ignored':
      return outcome.kind
    case 'failed':
      // A dead letter is owned like any accepted event: the provider must not send it again.
      return outcome.stored === 'dead_letter' ? 'accepted' : undefined
    case 'batch':
      return batchSituation(outcome.outcomes)
    case 'unavailable':
    case 'handshake':
    case 'forged':
    case 'malformed':
    case 'too_large':
    case 'too_slow':
    case 'unsupported_encoding':
    case 'method_not_allowed':
    case 'unknown_source':
      return undefined
  }
}

function batchSituation(outcomes: readonly EventOutcome[]): AnswerSituation | undefined {
  const situations = outcomes.map(situationOf)
  if (situations.includes(undefined)) return undefined
  const order = ['accepted', 'processed', 'duplicate'] as const
  return order.find((situation) => situations.includes(situation)) ?? 'ignored'
}

function ourAnswer(outcome: Outcome): Answer {
  switch (outcome.kind) {
    case 'accepted':
    case 'processed':
    case 'duplicate':
    case 'ignored':
      return json(outcome.kind === 'accepted' ? 202 : 200, { verdict: outcome.kind, receipt: outcome.receiptId })
    case 'failed':
      return json(outcome.stored === 'dead_letter' ? 200 : 500, { verdict: 'failed' })
    case 'unavailable':
      return json(503, { verdict: 'unavailable' }, retryAfter(outcome.retryAfterSeconds))
    case 'batch':
      return batchAnswer(outcome.outcomes)
    case 'handshake':
      return outcome.answer
    case 'forged':
      // Why it is not believed would help whoever forges.
      return json(401, { verdict: 'forged' })
    case 'malformed':
      return json(400, { verdict: 'malformed', detail: outcome.detail.slice(0, 300) })
    case 'too_large':
      return json(413, { verdict: 'too_large', limitBytes: outcome.limitBytes })
    case 'too_slow':
      return json(408, { verdict: 'too_slow' })
    case 'unsupported_encoding':
      return json(415, { verdict: 'unsupported_encoding' })
    case 'method_not_allowed':
      return json(405, { verdict: 'method_not_allowed' }, { allow: outcome.allowed.join(', ') })
    case 'unknown_source':
      return json(404, { verdict: 'unknown_source' })
  }
}

/** One answer for many events: as long as one of them is not safe, the provider has to send the batch again. */
function batchAnswer(outcomes: readonly EventOutcome[]): Answer {
  const counts: Record<string, number> = {}
  for (const { kind } of outcomes) counts[kind] = (counts[kind] ?? 0) + 1
  const body = { verdict: 'batch', ...counts }

  const waits = outcomes.flatMap((outcome) => (outcome.kind === 'unavailable' ? [outcome.retryAfterSeconds] : []))
  if (waits.length > 0) return json(503, body, retryAfter(Math.max(...waits)))
  if (outcomes.some((outcome) => outcome.kind === 'failed' && outcome.stored === 'rolled_back')) return json(500, body)
  return json(outcomes.some(({ kind }) => kind === 'accepted') ? 202 : 200, body)
}

function retryAfter(seconds: number): Record<string, string> {
  return { 'retry-after': String(Math.max(1, Math.ceil(seconds))) }
}

function json(status: number, body: Record<string, unknown>, headers?: Record<string, string>): Answer {
  return {
    status,
    headers: headers === undefined ? ourHeaders : { ...ourHeaders, ...headers },
    body: JSON.stringify(body),
  }
}
