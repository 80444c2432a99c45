import type { KeyObject } from 'node:crypto'
import { invalidOptions } from '../errors.ts'
import { checkOptionsOf, demandDeliveryOptions } from './check-options.ts'
import {
  createPoster,
  demandPostOptions,
  demandSecrets,
  demandUrl,
  headerMistake,
  type Post,
  type Poster,
  type PostOptions,
  readUrl,
} from './http-post.ts'
import { headerId, readSigningKeys } from './http-signature.ts'
import { failure, untilAborted } from './result.ts'
import type { MessageResult, OutgoingMessage, Target } from './target.ts'
import { withTimeLimit } from './time-limit.ts'

/** A value for all messages, or one found for each. */
export type PerMessage<Value> = Value | ((message: OutgoingMessage) => Value | Promise<Value>)

/** The options of `http`. */
export type HttpOptions = PostOptions & {
  /** Where to. A function may choose by the message; whatever it answers goes through the same checks. */
  readonly url: PerMessage<string | URL>
  /** Signs after Standard Webhooks: `whsec_…` for HMAC, `whsk_…` for Ed25519; several while one replaces another. */
  readonly secret?: PerMessage<string | readonly string[]>
  /** Added to each request, for example `authorization`. They never appear in an error. */
  readonly headers?: PerMessage<Readonly<Record<string, string>>>
  /** Default POST. */
  readonly method?: 'POST' | 'PUT' | 'PATCH'
}

/** Posts the JSON text to a URL, with its idempotency key and signed after Standard Webhooks. */
export function http(options: HttpOptions): Target {
  const { concurrency = 10, timeoutSeconds = 15 } = options
  checkHttpOptions(options)
  const poster = createPoster(options, concurrency)

  return {
    kind: 'http',
    batchSize: 1,
    concurrency,
    // The request has its own limit, which ends first and says more.
    timeoutSeconds: timeoutSeconds + 1,
    deliver: (messages, signal) =>
      withTimeLimit(timeoutSeconds, signal, (limited) =>
        Promise.all(messages.map((message) => post(message, { options, poster, signal: limited }))),
      ),
    close: async () => poster.close(),
  }
}

type Posting = { readonly options: HttpOptions; readonly poster: Poster; readonly signal: AbortSignal }

async function post(message: OutgoingMessage, { options, poster, signal }: Posting): Promise<MessageResult> {
  try {
    const composed = await untilAborted(() => composePost(message, options), signal)
    return (await poster.post(composed, signal)).result
  } catch (error) {
    return failure(error)
  }
}

async function composePost(message: OutgoingMessage, options: HttpOptions): Promise<Post> {
  const url = readUrl(await valueFor(message, options.url), options)
  const given = checkedHeaders(await valueFor(message, options.headers ?? {}))
  const keys = await signingKeys(message, options)
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'oncehook',
    ...(message.traceparent !== undefined && { traceparent: message.traceparent }),
  }
  const body = Buffer.from(message.json, 'utf8')
  return { url, method: options.method ?? 'POST', headers, given, id: headerId(message.idempotencyKey), body, keys }
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

function checkedHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  for (const [name, value] of Object.entries(headers)) {
    const mistake = headerMistake(name, value)
    if (mistake !== undefined) throw new Error(mistake)
  }
  return headers
}

function checkHttpOptions(options: HttpOptions): void {
  const { url, headers, ...rest } = options
  const check = checkOptionsOf('http')
  demandDeliveryOptions(check, options)
  demandPostOptions(check, { ...rest, headers: typeof headers === 'function' ? {} : headers })
  if ('secret' in options && typeof options.secret !== 'function') demandSecrets(check, options.secret)
  check.end()
  if (typeof url === 'function') return
  demandUrl(check, url, options)
  check.end()
}
