import type { KeyObject } from 'node:crypto'
import { createOptionCheck } from '../check-options.ts'
import { systemClock } from '../clock.ts'
import { type DetachedContext, type DetachedResult, detachedHandler } from '../effects/detached-handler.ts'
import type { Handler, WebhookEvent } from '../effects/handler.ts'
import { createSlots, type Slots } from '../effects/slots.ts'
import { permanent } from '../errors.ts'
import { demandDeliveryOptions } from '../targets/check-options.ts'
import {
  createPoster,
  demandPostOptions,
  demandSecrets,
  demandUrl,
  type Posted,
  type Poster,
  type PostOptions,
  readUrl,
} from '../targets/http-post.ts'
import { headerId, readSigningKeys } from '../targets/http-signature.ts'
import { withTimeLimit } from '../targets/time-limit.ts'
import { forwardedHeaders } from './forwarded-headers.ts'
import { type CallEnd, type CircuitOptions, createRest, type Rest } from './rest.ts'
import { createTurns, type Turns } from './turns.ts'

export type { CircuitOptions } from './rest.ts'

/** The options of `forward`. */
export type ForwardOptions = PostOptions & {
  /** Where to, for example `https://app.example.com/hooks`. */
  readonly to: string | URL
  /** Signs after Standard Webhooks: `whsec_…` for HMAC, `whsk_…` for Ed25519; several while one replaces another. */
  readonly secret?: string | readonly string[]
  /** Added to each request, for example `authorization`. They never appear in an error. */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * Signs in a way of its own: the headers that prove a request to the endpoint, made anew for each attempt. They win over all others,
   * and never appear in an error.
   */
  readonly sign?: (request: ForwardedRequest) => Readonly<Record<string, string>>
  /** Requests that this process sends in a second at most. Default: no limit. */
  readonly ratePerSecond?: number
  /** When it is left alone because it fails. Default: after 5 failures in a row. */
  readonly circuit?: CircuitOptions | 'off'
}

/** What is about to be sent, for whoever signs it. */
export type ForwardedRequest = {
  readonly event: WebhookEvent
  readonly url: URL
  /** The stored ones and ours, names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly at: Date
}

/**
 * A handler that hands events on to an address: the stored bytes and headers, an `Idempotency-Key` that never changes, and a signature.
 * 2xx completes the event; anything else is tried again. No database connection is held meanwhile. Handlers made by one call are one
 * destination: they share its places, its rate and its rest.
 */
export function forward(options: ForwardOptions): Handler<unknown> {
  const { concurrency = 10, circuit = {}, clock = systemClock, ratePerSecond } = options
  checkForwardOptions(options)
  const rest = createRest(circuit, clock)
  const url = readUrl(options.to, options, 'to')
  const destination: Destination = {
    options,
    url,
    keys: options.secret === undefined ? [] : readSigningKeys([options.secret].flat()).keys,
    poster: createPoster(options, concurrency),
    places: createSlots(concurrency),
    turns: createTurns(ratePerSecond, clock),
    rest,
  }
  return detachedHandler({
    destination: { address: `${url.origin}${url.pathname}`, concurrency, state: rest.state, onChange: rest.onChange },
    run: (event, context) => forwardOne(destination, event, context),
  })
}

type Destination = {
  readonly options: ForwardOptions
  readonly url: URL
  readonly keys: readonly KeyObject[]
  readonly poster: Poster
  readonly places: Slots
  readonly turns: Turns
  readonly rest: Rest
}

async function forwardOne(
  destination: Destination,
  event: WebhookEvent,
  context: DetachedContext,
): Promise<DetachedResult> {
  const { places, turns, rest, url } = destination
  const { signal } = context
  const leave = await places.take({ signal })
  if (leave === undefined) return stopped
  try {
    if (!(await turns.wait(signal))) return stopped
    const seconds = rest.enter()
    if (seconds !== undefined) {
      return { kind: 'deferred', seconds, reason: `${url.host} has failed, and is left alone for a while.` }
    }
    let end: CallEnd = { kind: 'unknown' }
    try {
      const posted = await post(destination, event, context)
      end = signal.aborted ? end : endOf(posted)
      return resultOf(posted)
    } finally {
      rest.leave(end)
    }
  } finally {
    leave()
  }
}

/** Heard by nobody: whoever has broken it off gives the event back. */
const stopped: DetachedResult = { kind: 'deferred', seconds: 0, reason: 'The process is stopping.' }

function post(
  { options, url, keys, poster }: Destination,
  event: WebhookEvent,
  { signal, attempt, handler, idempotencyKey }: DetachedContext,
): Promise<Posted> {
  const { timeoutSeconds = 15, headers: given = {}, clock = systemClock } = options
  const headers = { 'user-agent': 'oncehook', ...forwardedHeaders(event, attempt) }
  const id = headerId(idempotencyKey(`forward ${handler}`))
  const proof = options.sign?.({ event, url, headers, at: clock.now() }) ?? {}
  return withTimeLimit(timeoutSeconds, signal, (limited) =>
    poster.post({ url, method: 'POST', headers, given, proof, id, body: event.body, keys }, limited),
  )
}

/** A destination that says what is wrong with an event is well. One that is overloaded or broken says so, or nothing. */
function endOf({ status, result }: Posted): CallEnd {
  if (status !== undefined && status < 500 && status !== 429 && status !== 408) return { kind: 'well' }
  const mayAsk = status === 429 || status === 503
  return { kind: 'ill', askedSeconds: mayAsk && result.kind === 'failed' ? result.afterSeconds : undefined }
}

function resultOf({ result, status }: Posted): DetachedResult {
  if (result.kind === 'published') return { kind: 'done', status }
  const error = new Error(result.error)
  return {
    kind: 'failed',
    status,
    error: result.retry === 'permanent' ? permanent(error) : error,
    afterSeconds: result.afterSeconds,
  }
}

function checkForwardOptions(options: ForwardOptions): void {
  const { ratePerSecond, circuit = {} } = options
  const check = createOptionCheck('forward()')
  demandDeliveryOptions(check, options)
  demandPostOptions(check, options)
  check.demandNumber('ratePerSecond', ratePerSecond, { atLeast: 0.001, atMost: 100_000 })
  if (circuit !== 'off') {
    check.demandNumber('circuit.failures', circuit.failures, { atLeast: 1, atMost: 1000, isWhole: true })
    check.demandNumber('circuit.pauseSeconds', circuit.pauseSeconds, { atLeast: 0.01, atMost: 86_400 })
    check.demandNumber('circuit.maximumPauseSeconds', circuit.maximumPauseSeconds, { atLeast: 0.01, atMost: 86_400 })
  }
  check.demand(
    options.sign === undefined || typeof options.sign === 'function',
    'sign is not a function: give one that answers with headers.',
  )
  if ('secret' in options) demandSecrets(check, options.secret)
  check.end()
  demandUrl(check, options.to, options, 'to')
  check.end()
}
