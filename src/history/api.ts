import { linkedAbort } from '../abort.ts'
import { type Clock, systemClock } from '../clock.ts'
import { isOncehookError, OncehookError } from '../errors.ts'

/** The part of `fetch` that is needed here. */
export type FetchLike = (
  url: string,
  request: {
    readonly method: string
    readonly headers: Readonly<Record<string, string>>
    readonly redirect: 'error'
    readonly signal: AbortSignal
  },
) => Promise<{
  readonly status: number
  readonly headers: { get(name: string): string | null }
  text(): Promise<string>
}>

/** What every history can be told about its requests. */
export type RequestOptions = {
  /** At most so many requests in a second. What the provider itself says about limits is heeded too. */
  readonly requestsPerSecond?: number
  /** Told before every longer wait: what for, and how long. */
  readonly onWait?: (wait: { readonly seconds: number; readonly reason: string }) => void
  readonly clock?: Clock
}

export type ApiRequest = { readonly method: 'GET' | 'POST'; readonly path: string; readonly signal: AbortSignal }

export type ApiAnswer = {
  readonly status: number
  readonly header: (name: string) => string | undefined
  readonly text: string
}

/** One request, whatever sends it. Rejects only if there was no answer. */
export type SendRequest = (request: ApiRequest) => Promise<ApiAnswer>

export type ApiParts = RequestOptions & {
  /** For errors: `Stripe`. */
  readonly name: string
  readonly send: SendRequest
  readonly requestsPerSecond: number
  /** Milliseconds to wait before the next request, if this answer asks for that, successful or not. */
  readonly askedToWait: (answer: ApiAnswer, now: Date) => number | undefined
  /** What to do about an answer that no patience will cure. */
  readonly advice: (status: number) => string
}

/** Failures in a row before a request is given up. Waits that the provider asked for are its own business, and may be many. */
const mostFailures = 7
const mostWaits = 30
const timeoutMilliseconds = 30_000

/** Requests to one API: never faster than allowed, patient with limits and outages, clear about everything else. */
export function createApi(parts: ApiParts): (request: ApiRequest) => Promise<ApiAnswer> {
  const { name, send, requestsPerSecond, askedToWait, advice, onWait, clock = systemClock } = parts
  let nextAt = 0

  return async function ask(request) {
    let waits = 0
    for (let failures = 0; ; ) {
      await turn(request.signal)
      request.signal.throwIfAborted()
      const answer = await sendInTime(request)
      const isFine = 'status' in answer && answer.status >= 200 && answer.status < 300
      const wait = 'status' in answer ? askedToWait(answer, clock.now()) : undefined
      if (wait !== undefined) pauseAll(wait, `${name} limits requests`)
      if (isFine) return answer
      if (wait === undefined) {
        failures += 1
        if (!isPassing(answer)) throw refused(name, answer, advice)
        if (failures === mostFailures) throw unanswered(name, answer)
        pauseAll(500 * 2 ** failures, `${name} does not answer`)
      } else {
        waits += 1
        if (waits === mostWaits) throw unanswered(name, answer)
      }
    }
  }

  /** Everybody waits: a limit is that of the account, not of a request. */
  function pauseAll(milliseconds: number, reason: string): void {
    nextAt = Math.max(nextAt, clock.now().getTime() + milliseconds)
    if (milliseconds >= 2000) onWait?.({ seconds: Math.ceil(milliseconds / 1000), reason })
  }

  async function turn(signal: AbortSignal): Promise<void> {
    for (;;) {
      const now = clock.now().getTime()
      if (nextAt <= now) {
        nextAt = now + 1000 / requestsPerSecond
        return
      }
      await clock.wait(nextAt - now, signal)
      if (signal.aborted) return
    }
  }

  async function sendInTime(request: ApiRequest): Promise<ApiAnswer | { readonly cause: unknown }> {
    const { abort, unlink } = linkedAbort(request.signal)
    const timer = setTimeout(() => abort.abort(new Error('no answer in time')), timeoutMilliseconds)
    try {
      return await send({ ...request, signal: abort.signal })
    } catch (cause) {
      request.signal.throwIfAborted()
      if (isOncehookError(cause)) throw cause
      return { cause }
    } finally {
      clearTimeout(timer)
      unlink()
    }
  }
}

/** By way of `fetch`, with headers that hold the credentials. They go to this address only: redirects are not followed. */
export function sendByFetch(
  address: string,
  headers: Readonly<Record<string, string>>,
  fetch: FetchLike = globalThis.fetch,
): SendRequest {
  const base = address.replace(/\/+$/, '')
  return async ({ method, path, signal }) => {
    const response = await fetch(`${base}${path}`, { method, headers, redirect: 'error', signal })
    return {
      status: response.status,
      header: (name) => response.headers.get(name) ?? undefined,
      text: await response.text(),
    }
  }
}

/** The `Retry-After` of an answer in milliseconds, as seconds or as a date. */
export function retryAfter(answer: ApiAnswer, now: Date): number | undefined {
  const text = answer.header('retry-after')
  if (text === undefined) return undefined
  const seconds = Number(text)
  const milliseconds = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(text) - now.getTime()
  return Number.isNaN(milliseconds) ? undefined : Math.min(Math.max(milliseconds, 0), 3_600_000)
}

/** The JSON of an answer; an answer that is none is a failure of the API. */
export function documentOf(name: string, { text }: ApiAnswer): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw historyFailed(`${name} answered with something that is not JSON. Is the address of its API right?`)
  }
}

export function historyFailed(sentence: string, cause?: unknown): OncehookError {
  return new OncehookError('ONCEHOOK_HISTORY_FAILED', sentence, { cause })
}

function isPassing(answer: ApiAnswer | { readonly cause: unknown }): boolean {
  return !('status' in answer) || answer.status === 408 || answer.status === 429 || answer.status >= 500
}

/** What the provider wrote is not repeated: it may quote the credentials. */
function refused(
  name: string,
  answer: ApiAnswer | { readonly cause: unknown },
  advice: (status: number) => string,
): Error {
  const status = 'status' in answer ? answer.status : 0
  const error = historyFailed(`${name} answered ${status}. ${advice(status)}`)
  return Object.assign(error, { status })
}

function unanswered(name: string, answer: ApiAnswer | { readonly cause: unknown }): Error {
  const what = 'status' in answer ? `answered ${answer.status}` : 'could not be reached'
  return historyFailed(
    `${name} ${what}, however often it was asked. Whoever calls again goes on where this stopped.`,
    'cause' in answer ? answer.cause : undefined,
  )
}
