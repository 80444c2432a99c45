import type { HeaderPair } from '../store/capture-store.ts'

/** What a header is about, by its name: which differences between retries are to be expected depends on it. */
export type HeaderRole = 'signature' | 'time' | 'delivery' | 'transport' | 'other'

/** A header that is not the same everywhere, and its values in each request; undefined where it is missing. */
export type HeaderDifference = {
  readonly name: string
  readonly role: HeaderRole
  readonly values: readonly (string | undefined)[]
}

/** The order of different headers means nothing, that of equal names does. */
export function compareHeaders(requests: readonly (readonly HeaderPair[])[]): readonly HeaderDifference[] {
  const maps = requests.map(valuesByName)
  const names = [...new Set(maps.flatMap((map) => [...map.keys()]))].toSorted()
  return names.flatMap((name) => {
    const values = maps.map((map) => map.get(name)?.join(', '))
    return values.every((value) => value === values[0]) ? [] : [{ name, role: roleOf(name), values }]
  })
}

function valuesByName(headers: readonly HeaderPair[]): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>()
  for (const [name, value] of headers) {
    const key = name.toLowerCase()
    values.set(key, [...(values.get(key) ?? []), value])
  }
  return values
}

const roles: readonly (readonly [HeaderRole, RegExp])[] = [
  ['signature', /signature|hmac|authorization|digest|(?:^|-)sig(?:$|-)|(?:^|-)token(?:$|-)/],
  [
    'transport',
    /^(?:host|connection|content-length|transfer-encoding|accept.*|user-agent|via|forwarded|x-forwarded-.*|x-real-ip|cf-.*|cdn-.*|traceparent|tracestate|x-request-id|x-amzn-trace-id|x-cloud-trace-context|cache-control|pragma)$/,
  ],
  ['delivery', /delivery|attempt|retry|retries|webhook-id|event-id|message-id|triggered|request-id/],
  ['time', /time|(?:^|-)date(?:$|-)/],
]

function roleOf(name: string): HeaderRole {
  return roles.find(([, pattern]) => pattern.test(name))?.[0] ?? 'other'
}
