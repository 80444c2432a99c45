import type { KeyObject } from 'node:crypto'
import { validateHeaderName, validateHeaderValue } from 'node:http'
import { type Clock, systemClock } from '../clock.ts'
import { invalidOptions, permanent } from '../errors.ts'
import { checkOptionsOf, type DeliveryOptions, demandDeliveryOptions } from './check-options.ts'
import {
  type AddressRule,
  type AllowedPrivate,
  addressRule,
  allowedAddresses,
  isSubnet,
  literalAddress,
  pinned,
  type Resolve,
  systemResolve,
} from './http-address.ts'
import { readAnswer } from './http-answer.ts'
import { type HttpConnections, type HttpRequest, openConnections } from './http-exchange.ts'
import { headerId, readSigningKeys, signedHeaders } from './http-signature.ts'
import { failure, untilAborted } from './result.ts'
import type { MessageResult, OutgoingMessage, Target } from './target.ts'
import { withTimeLimit } from './time-limit.ts'

/** A value for all messages, or one found for each. */
export type PerMessage<Value> = Value | ((message: OutgoingMessage) => Value | Promise<Value>)

/** The options of `http`. */
export type HttpOptions = DeliveryOptions & {
  /** Where to. A function may choose by the message; whatever it answers goes through the same checks. */
  readonly url: PerMessage<string | URL>
  /** Signs after Standard Webhooks: `whsec_…` for HMAC, `whsk_…` for Ed25519; several while one replaces another. */
  readonly secret?: PerMessage<string | readonly string[]>
  /** Added to each request, for example `authorization`. They never appear in an error. */
  readonly headers?: PerMessage<Readonly<Record<string, string>>>
  /** Default POST. */
  readonly method?: 'POST' | 'PUT' | 'PATCH'
  /** Lets messages go to loopback, private and reserved addresses: all of them, and by `http:` too, or only these (`10.1.0.0/16`). */
  readonly allowPrivateAddresses?: AllowedPrivate
  /** Lets messages go by `http:`, where anybody on the way can read them. */
  readonly allowInsecure?: boolean
  /** Certificates of authorities (PEM) to trust instead of the system's, for a receiver of your own. */
  readonly trustedCertificates?: string | readonly string[]
  /** Statuses after which no attempt will help. Default `[410]`; add 400 and 422 if the receiver means them. */
  readonly permanentStatuses?: readonly number[]
  /** Finds the addresses of a host. Default: the system's way. */
  readonly resolve?: Resolve
  readonly clock?: Clock
}

/** Ours to set. */
const reservedHeaders =
  /^(?:host|content-length|transfer-encoding|connection|expect|upgrade|idempotency-key|webhook-.*)$/i

/** Posts the JSON text to a URL, with its idempotency key and signed after Standard Webhooks. */
export function http(options: HttpOptions): Target {
  const { concurrency = 10, timeoutSeconds = 15, allowPrivateAddresses = false, trustedCertificates } = options
  checkHttpOptions(options)
  const connections = openConnections({ concurrency, trustedCertificates })
  const isAllowed = addressRule(allowPrivateAddresses)

  return {
    kind: 'http',
    batchSize: 1,
    concurrency,
    // The request has its own limit, which ends first and says more.
    timeoutSeconds: timeoutSeconds + 1,
    deliver: (messages, signal) =>
      withTimeLimit(timeoutSeconds, signal, (limited) =>
        Promise.all(messages.map((message) => post(message, { options, connections, isAllowed, signal: limited }))),
      ),
    close: async () => connections.close(),
  }
}

type Posting = {
  readonly options: HttpOptions
  readonly connections: HttpConnections
  readonly isAllowed: AddressRule
  readonly signal: AbortSignal
}

async function post(message: OutgoingMessage, posting: Posting): Promise<MessageResult> {
  const { options, connections, isAllowed, signal } = posting
  const { clock = systemClock, resolve = systemResolve, permanentStatuses = [410] } = options
  try {
    const request = await untilAborted(() => composeRequest(message, options, clock), signal)
    const { host } = request.url
    try {
      const addresses = await untilAborted(() => allowedAddresses(request.url, { resolve, isAllowed }), signal)
      const answer = await connections.exchange({ ...request, lookup: pinned(addresses) }, signal)
      return readAnswer(answer, { host, now: clock.now(), permanentStatuses, secrets: secretsIn(request) })
    } catch (error) {
      return failureAt(host, error, signal)
    }
  } catch (error) {
    return failure(error)
  }
}

type ComposedRequest = Omit<HttpRequest, 'lookup'> & { readonly given: Readonly<Record<string, string>> }

async function composeRequest(message: OutgoingMessage, options: HttpOptions, clock: Clock): Promise<ComposedRequest> {
  const url = readUrl(await valueFor(message, options.url), options)
  const given = checkedHeaders(await valueFor(message, options.headers ?? {}))
  const keys = await signingKeys(message, options)
  const body = Buffer.from(message.json, 'utf8')
  const id = headerId(message.idempotencyKey)
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'oncehook',
    ...(message.traceparent !== undefined && { traceparent: message.traceparent }),
    ...Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value])),
    'idempotency-key': id,
    ...signedHeaders({ id, body, at: clock.now(), keys }),
  }
  return { url, method: options.method ?? 'POST', headers, body, given }
}

async function valueFor<Value>(message: OutgoingMessage, value: PerMessage<Value>): Promise<Value> {
  return typeof value === 'function' ? (value as (message: OutgoingMessage) => Value)(message) : value
}

async function signingKeys(message: OutgoingMessage, { secret }: HttpOptions): Promise<readonly KeyObject[]> {
  if (secret === undefined) return []
  const { keys, mistakes } = readSigningKeys([await valueFor(message, secret)].flat())
  if (mistakes.length > 0) throw invalidOptions('The target http', mistakes)
  return keys
}

/** A refused URL is permanent, and never repeated in the error: paths and queries may hold keys. */
function readUrl(given: unknown, { allowInsecure, allowPrivateAddresses }: HttpOptions): URL {
  const url = URL.canParse(String(given)) ? new URL(String(given)) : undefined
  // A list names some private addresses, and says nothing about sending openly to all others.
  const maySendOpenly = allowInsecure === true || allowPrivateAddresses === true
  if (url === undefined) throw permanent(new Error('url is not a URL.'))
  if (url.protocol !== 'https:' && (url.protocol !== 'http:' || !maySendOpenly)) {
    throw permanent(new Error(`url begins with ${url.protocol}: give https:, or http: together with allowInsecure.`))
  }
  if (url.username !== '' || url.password !== '') {
    throw permanent(new Error('url holds a user name or password: give headers.authorization instead.'))
  }
  return url
}

function checkedHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  for (const [name, value] of Object.entries(headers)) {
    const mistake = headerMistake(name, value)
    if (mistake !== undefined) throw new Error(mistake)
  }
  return headers
}

function headerMistake(name: string, value: unknown): string | undefined {
  if (reservedHeaders.test(name)) return `headers["${name}"] is set by the target itself.`
  try {
    validateHeaderName(name)
    validateHeaderValue(name, value as string)
    return undefined
  } catch {
    return `headers["${name}"] is not a header: is its value missing, or does it hold a line break?`
  }
}

/**
 * What a receiver may repeat in its answer: headers, path and query, and their parts, as `Bearer abc` may come back as `abc`.
 * Short ones are no secrets. The longest first, so that none is cut in two.
 */
function secretsIn({ url, given }: ComposedRequest): readonly string[] {
  const texts = [...Object.values(given), `${url.pathname}${url.search}`, url.pathname]
  return texts
    .flatMap((text) => [text, ...text.split(/[\s/?&=]+/)])
    .filter((part) => part.length >= 8)
    .toSorted((one, other) => other.length - one.length)
}

function failureAt(host: string, error: unknown, signal: AbortSignal): MessageResult {
  if (signal.aborted) return failure(new Error(`${host} did not answer in time.`))
  const { code } = error as NodeJS.ErrnoException
  return failure(code === undefined ? error : new Error(`${host} could not be reached: ${code}.`))
}

function checkHttpOptions(options: HttpOptions): void {
  const { url, headers, allowPrivateAddresses = false } = options
  const check = checkOptionsOf('http')
  demandDeliveryOptions(check, options)
  if (Array.isArray(allowPrivateAddresses)) {
    for (const text of allowPrivateAddresses as readonly unknown[]) {
      check.demand(isSubnet(text), `allowPrivateAddresses holds ${JSON.stringify(text)}: give 10.1.2.3 or 10.1.0.0/16.`)
    }
  }
  if (typeof headers !== 'function') {
    const mistakes = Object.entries(headers ?? {}).map(([name, value]) => headerMistake(name, value))
    for (const mistake of mistakes) check.demand(mistake === undefined, mistake ?? '')
  }
  if ('secret' in options && typeof options.secret !== 'function') {
    for (const mistake of readSigningKeys([options.secret].flat()).mistakes) check.demand(false, mistake)
  }
  check.end()
  if (typeof url === 'function') return
  try {
    const literal = literalAddress(readUrl(url, options))
    const isReachable = literal === undefined || addressRule(allowPrivateAddresses)(literal)
    check.demand(isReachable, 'url names a private or reserved address: if it is meant, set allowPrivateAddresses.')
  } catch (error) {
    check.demand(false, (error as Error).message)
  }
  check.end()
}
