import type { DeliveryHeaders } from './delivery.ts'

const maximumHeaders = 100
const maximumBytes = 16_384

/** Parts of names whose values prove or grant something; kept, they would outlive the request in backups and dashboards. */
const secretParts = [
  'access-key',
  'api-key',
  'api_key',
  'apikey',
  'assertion',
  'authorization',
  'authentication',
  'bearer',
  'client-cert',
  'cookie',
  'credential',
  'functions-key',
  'hmac',
  'jwt',
  'passw',
  'private-key',
  'secret',
  'session',
  'signature',
  'token',
  'verification',
  'webhook-key',
]

/** Too short to look for anywhere in a name ("design", "machine"), but telling as a whole word of one. */
const secretWords = new Set(['auth', 'hash', 'mac', 'pass', 'sig', 'sign'])

/** A URL may carry a key in its query. */
const urlHeaders = new Set(['referer', 'x-forwarded-uri', 'x-original-uri', 'x-original-url', 'x-rewrite-url'])

/** These describe the transfer, not the bytes that are kept: those are neither compressed nor chunked any more. */
const transferHeaders = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

export type StoredHeadersOptions = {
  /** The span that what is kept belongs to, in place of the one that the sender named. */
  readonly traceparent?: string | undefined
  /** The headers with the provider's own proof, whatever they are called. */
  readonly proofHeaders?: readonly string[]
}

/**
 * The headers that are kept with a body, in the order in which they came: no credentials, cookies or signatures,
 * at most 100 and 16 KB. A header that does not fit is left out whole, since half a value misleads.
 */
export function storedHeaders(
  headers: DeliveryHeaders,
  { traceparent, proofHeaders = [] }: StoredHeadersOptions = {},
): readonly (readonly [string, string])[] {
  const kept: (readonly [string, string])[] = traceparent === undefined ? [] : [['traceparent', traceparent]]
  let bytes = 0
  for (const [name, values] of headers) {
    if (!isKept(name) || proofHeaders.includes(name) || (traceparent !== undefined && name === 'traceparent')) continue
    for (const value of values) {
      const size = Buffer.byteLength(name) + Buffer.byteLength(value)
      if (kept.length === maximumHeaders || bytes + size > maximumBytes) continue
      kept.push([name, value])
      bytes += size
    }
  }
  if (isSameList(kept, lastKept)) return lastKept
  lastKept = kept
  return kept
}

/** A sender's deliveries differ in their signatures, which are not kept: with the last list, what was made of it can be used again. */
let lastKept: readonly (readonly [string, string])[] = []

function isSameList(
  one: readonly (readonly [string, string])[],
  other: readonly (readonly [string, string])[],
): boolean {
  if (one.length !== other.length) return false
  for (let index = 0; index < one.length; index += 1) {
    if (one[index]?.[1] !== other[index]?.[1] || one[index]?.[0] !== other[index]?.[0]) return false
  }
  return true
}

/** Senders use the same few names again and again; whoever invents new ones does not fill the memory. */
const judged = new Map<string, boolean>()
const mostJudged = 1000

function isKept(name: string): boolean {
  const known = judged.get(name)
  if (known !== undefined) return known
  const kept = !isSecretHeader(name) && !urlHeaders.has(name) && !transferHeaders.has(name)
  if (judged.size >= mostJudged) judged.clear()
  judged.set(name, kept)
  return kept
}

/** Whether a header, by its name in lower case, proves or grants something. */
export function isSecretHeader(name: string): boolean {
  // Some providers call the event's id an idempotency token or key: it is not a secret, and it is needed.
  if (name.includes('idempotency')) return false
  return secretParts.some((part) => name.includes(part)) || name.split(/[-_]/).some((word) => secretWords.has(word))
}
