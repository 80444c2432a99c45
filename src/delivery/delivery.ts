/** An HTTP request as it came: the exact bytes, and every header with all its values. */
export type Delivery = {
  readonly method: string
  /** The full URL that the sender called. Some providers sign it. */
  readonly url: string
  /** Lower-case names; every value that was sent under a name, in order. */
  readonly headers: DeliveryHeaders
  readonly body: Uint8Array
  /** The span it is received in, where deliveries are traced: kept in place of the sender's own. */
  readonly traceparent?: string
}

/** Header values by lower-case name. A name that was sent twice has two values. */
export type DeliveryHeaders = ReadonlyMap<string, readonly string[]>

/** What a caller may hand in: headers of any common shape, text or bytes. */
export type DeliveryInput = {
  readonly method?: string
  readonly url?: string
  readonly headers?: HeadersInput
  readonly body?: Uint8Array | string
}

/** Headers as `Headers`, a list of pairs, an object, or already in our own shape. */
export type HeadersInput =
  | DeliveryHeaders
  | Iterable<readonly [string, string]>
  | Readonly<Record<string, string | readonly string[] | undefined>>

/** Brings what was handed in into one shape. What has that shape already is returned as it is. */
export function toDelivery(input: DeliveryInput): Delivery {
  if (isDelivery(input)) return input
  const { method = 'POST', url = 'http://localhost/', headers = {}, body = '' } = input
  return {
    method: method.toUpperCase(),
    url,
    headers: toDeliveryHeaders(headers),
    body: typeof body === 'string' ? Buffer.from(body, 'utf8') : body,
  }
}

/** The value of a header that was sent exactly once; undefined if it is absent or was sent several times. */
export function onlyHeader(headers: DeliveryHeaders, name: string): string | undefined {
  const values = headers.get(name)
  return values?.length === 1 ? values[0] : undefined
}

/** The first value of a header. For headers that decide nothing about authenticity or identity. */
export function firstHeader(headers: DeliveryHeaders, name: string): string | undefined {
  return headers.get(name)?.[0]
}

/** Collects pairs as they came (for example Node's `rawHeaders`, in twos). */
export function toDeliveryHeaders(input: HeadersInput): DeliveryHeaders {
  const collected = new Map<string, string[]>()
  for (const [name, value] of pairsOf(input)) {
    const key = name.toLowerCase()
    const values = collected.get(key)
    if (values === undefined) collected.set(key, [value])
    else values.push(value)
  }
  return collected
}

function* pairsOf(input: HeadersInput): Generator<readonly [string, string]> {
  const entries = Symbol.iterator in input ? input : Object.entries(input)
  for (const [name, value] of entries) {
    if (value === undefined) continue
    if (typeof value === 'string') yield [name, value]
    else for (const single of value) yield [name, single]
  }
}

function isDelivery(input: DeliveryInput): input is Delivery {
  return (
    input.headers instanceof Map &&
    input.body instanceof Uint8Array &&
    input.method !== undefined &&
    input.url !== undefined
  )
}
