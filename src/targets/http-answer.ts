import type { HttpAnswer } from './http-exchange.ts'
import { published } from './result.ts'
import type { MessageResult } from './target.ts'

/** However long a receiver asks us to wait, it is not longer than this. */
const longestWaitSeconds = 24 * 3600

const longestExcerpt = 200

export type AnswerReading = {
  readonly host: string
  readonly now: Date
  readonly permanentStatuses: readonly number[]
  /** What must not stand in an error, even if the receiver repeats it. */
  readonly secrets: readonly string[]
}

/**
 * 2xx is delivered. Everything else is tried again, also 4xx: a wrong path, an expired token or a bug in the receiver is mended
 * within hours, and the attempts are bounded anyway. Permanent is only what the receiver itself calls final: 410 Gone.
 */
export function readAnswer(answer: HttpAnswer, reading: AnswerReading): MessageResult {
  const { status } = answer
  if (status >= 200 && status <= 299) return published
  if (reading.permanentStatuses.includes(status)) {
    return { kind: 'failed', error: describeAnswer(answer, reading), retry: 'permanent' }
  }
  const afterSeconds = secondsToWait(answer.retryAfter, reading.now)
  return {
    kind: 'failed',
    error: describeAnswer(answer, reading),
    retry: 'later',
    ...(afterSeconds !== undefined && { afterSeconds }),
  }
}

function describeAnswer({ status, excerpt }: HttpAnswer, { host, secrets }: AnswerReading): string {
  if (status >= 300 && status <= 399) {
    return `${host} answered ${status}, a redirect, which is never followed: give the address it leads to.`
  }
  const text = secrets
    .reduce((cleaned, secret) => cleaned.replaceAll(secret, '[hidden]'), excerpt)
    .replaceAll(/[\s\p{Cc}\p{Cf}\p{Cs}]+/gu, ' ')
    .trim()
    .slice(0, longestExcerpt)
    .toWellFormed()
  return `${host} answered ${status}${text === '' ? '.' : `: ${text}`}`
}

/** Seconds or a date that begins with its weekday; undefined for anything else, as `Date.parse` guesses at much. */
function secondsToWait(retryAfter: string | undefined, now: Date): number | undefined {
  if (retryAfter === undefined) return undefined
  const seconds = /^\d{1,10}$/.test(retryAfter)
    ? Number(retryAfter)
    : Math.ceil((Date.parse(/^[A-Z][a-z]+, /.test(retryAfter) ? retryAfter : '') - now.getTime()) / 1000)
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), longestWaitSeconds)
}
