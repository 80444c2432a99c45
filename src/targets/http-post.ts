import type { KeyObject } from 'node:crypto'
import { validateHeaderName, validateHeaderValue } from 'node:http'
import type { OptionCheck } from '../check-options.ts'
import { type Clock, systemClock } from '../clock.ts'
import { permanent } from '../errors.ts'
import type { DeliveryOptions } from './check-options.ts'
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
import { readSigningKeys, signedHeaders } from './http-signature.ts'
import { failure, untilAborted } from './result.ts'
import type { MessageResult } from './target.ts'

/** The options of everything that posts to an address. */
export type PostOptions = DeliveryOptions & {
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

/** What is to be posted. Whoever composes it has checked the parts. */
export type Post = {
  readonly url: URL
  readonly method: string
  /** Ours to send: names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The user's own, which win over ours. A receiver may repeat them in its answer, so they are taken out of errors. */
  readonly given: Readonly<Record<string, string>>
  /** Signed by somebody else: wins over ours, and is taken out of errors too. */
  readonly proof?: Readonly<Record<string, string>>
  /** The idempotency key, as a header can hold it. */
  readonly id: string
  readonly body: Uint8Array
  readonly keys: readonly KeyObject[]
}

/** How a post ended. No status: there was no answer. */
export type Posted = { readonly result: MessageResult; readonly status: number | undefined }

export type Poster = {
  /** Never rejects, and follows no redirect. Names are looked up once, and only checked addresses are connected to. */
  readonly post: (post: Post, signal: AbortSignal) => Promise<Posted>
  readonly close: () => void
}

export function createPoster(options: PostOptions, concurrency: number): Poster {
  const { allowPrivateAddresses = false, trustedCertificates } = options
  const connections = openConnections({ concurrency, trustedCertificates })
  const isAllowed = addressRule(allowPrivateAddresses)
  return {
    post: (given, signal) => send(given, { options, connections, isAllowed, signal }),
    close: connections.close,
  }
}

type Sending = {
  readonly options: PostOptions
  readonly connections: HttpConnections
  readonly isAllowed: AddressRule
  readonly signal: AbortSignal
}

async function send(post: Post, { options, connections, isAllowed, signal }: Sending): Promise<Posted> {
  const { clock = systemClock, resolve = systemResolve, permanentStatuses = [410] } = options
  const { url, method, body } = post
  const { host } = url
  try {
    const addresses = await untilAborted(() => allowedAddresses(url, { resolve, isAllowed }), signal)
    const request: HttpRequest = { url, method, headers: headersOf(post, clock), body, lookup: pinned(addresses) }
    const answer = await connections.exchange(request, signal)
    const secrets = secretsIn(post)
    return {
      result: readAnswer(answer, { host, now: clock.now(), permanentStatuses, secrets }),
      status: answer.status,
    }
  } catch (error) {
    return { result: failureAt(host, error, signal), status: undefined }
  }
}

function headersOf({ headers, given, proof, id, body, keys }: Post, clock: Clock): Readonly<Record<string, string>> {
  return {
    ...headers,
    ...Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value])),
    'idempotency-key': id,
    ...signedHeaders({ id, body, at: clock.now(), keys }),
    ...proof,
  }
}

/** A refused URL is permanent, and never repeated in the error: paths and queries may hold keys. */
export function readUrl(
  given: unknown,
  { allowInsecure, allowPrivateAddresses }: PostOptions,
  /** What the option is called. */
  name = 'url',
): URL {
  const url = URL.canParse(String(given)) ? new URL(String(given)) : undefined
  // A list names some private addresses, and says nothing about sending openly to all others.
  const maySendOpenly = allowInsecure === true || allowPrivateAddresses === true
  if (url === undefined) throw permanent(new Error(`${name} is not a URL.`))
  if (url.protocol !== 'https:' && (url.protocol !== 'http:' || !maySendOpenly)) {
    throw permanent(
      new Error(`${name} begins with ${url.protocol}: give https:, or http: together with allowInsecure.`),
    )
  }
  if (url.username !== '' || url.password !== '') {
    throw permanent(new Error(`${name} holds a user name or password: give headers.authorization instead.`))
  }
  return url
}

/** Ours to set. */
const reservedHeaders =
  /^(?:host|content-length|transfer-encoding|connection|expect|upgrade|idempotency-key|webhook-.*|oncehook-.*)$/i

/** What is wrong with a header that a user gives. */
export function headerMistake(name: string, value: unknown): string | undefined {
  if (reservedHeaders.test(name)) return `headers["${name}"] is set by the target itself.`
  return isSendable(name, value)
    ? undefined
    : `headers["${name}"] is not a header: is its value missing, or does it hold a line break?`
}

/** Whether HTTP lets a header pass. */
export function isSendable(name: string, value: unknown): value is string {
  try {
    validateHeaderName(name)
    validateHeaderValue(name, value as string)
    return true
  } catch {
    return false
  }
}

/** Looks at what can be known before anything is sent. */
export function demandPostOptions(
  { demand }: OptionCheck,
  options: PostOptions & { readonly headers?: Readonly<Record<string, string>> | undefined },
): void {
  const { allowPrivateAddresses = false, headers = {} } = options
  if (Array.isArray(allowPrivateAddresses)) {
    for (const text of allowPrivateAddresses as readonly unknown[]) {
      demand(isSubnet(text), `allowPrivateAddresses holds ${JSON.stringify(text)}: give 10.1.2.3 or 10.1.0.0/16.`)
    }
  }
  for (const [name, value] of Object.entries(headers)) {
    const mistake = headerMistake(name, value)
    demand(mistake === undefined, mistake ?? '')
  }
}

/** Names every secret that cannot be used, by its place. */
export function demandSecrets({ demand }: OptionCheck, secret: unknown): void {
  for (const mistake of readSigningKeys([secret].flat()).mistakes) demand(false, mistake)
}

/** Looks at an address that is known before anything is sent. Asked last: what is allowed has to be right for it. */
export function demandUrl({ demand }: OptionCheck, given: unknown, options: PostOptions, name = 'url'): void {
  try {
    const literal = literalAddress(readUrl(given, options, name))
    const isReachable = literal === undefined || addressRule(options.allowPrivateAddresses ?? false)(literal)
    demand(isReachable, `${name} names a private or reserved address: if it is meant, set allowPrivateAddresses.`)
  } catch (error) {
    demand(false, (error as Error).message)
  }
}

/**
 * What a receiver may repeat in its answer: headers, path and query, and their parts, as `Bearer abc` may come back as `abc`.
 * Short ones are no secrets. The longest first, so that none is cut in two.
 */
function secretsIn({ url, given, proof = {} }: Post): readonly string[] {
  const texts = [...Object.values(given), ...Object.values(proof), `${url.pathname}${url.search}`, url.pathname]
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
