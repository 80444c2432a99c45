import { type Delivery, firstHeader, onlyHeader } from '../../delivery/delivery.ts'
import type { SignedContent } from '../algorithms/algorithm.ts'
import { hmac } from '../algorithms/hmac.ts'
import { decodeStrictly, encode } from '../bytes.ts'
import { utf8Secret } from '../keys.ts'
import { type Instead, type Proof, type Refusal, refuse, type Scheme, withHeaders } from '../scheme.ts'
import { readTimestamp, writeTimestamp } from '../timestamp.ts'
import { withoutFragment } from '../url.ts'

/** Where a signed request says what was signed, and when. */
export type CanonicalRequestOptions = {
  readonly header: string
  /** The header that lists the signed headers by name. */
  readonly signedHeadersHeader: string
  /** The header with the time, in milliseconds. It and the list are signed whether they are listed or not. */
  readonly timestampHeader: string
  readonly toleranceSeconds: number
}

/** HMAC-SHA256 over a whole request: its method, its address after the host, some of its headers and its body, line by line. */
export function canonicalRequest(options: CanonicalRequestOptions): Scheme {
  const { header, signedHeadersHeader, timestampHeader, toleranceSeconds } = options
  const algorithm = hmac('sha256')

  const read = (delivery: Delivery): Proof | Refusal => {
    const [sent, listed, timestamp] = [header, signedHeadersHeader, timestampHeader].map(
      (name) => firstHeader(delivery.headers, name) ?? '',
    ) as [string, string, string]
    if (sent === '' || listed === '') return refuse('signature_missing')
    const signature = decodeStrictly(sent, 'hex')
    const names = listed.split(',')
    if (signature === undefined || !algorithm.hasLength(signature.length) || names.length < 2) {
      return refuse('signature_malformed')
    }
    if (timestamp === '') return refuse('timestamp_missing')
    const timestampSeconds = readTimestamp(timestamp, 'milliseconds')
    if (timestampSeconds === undefined) return refuse('timestamp_malformed')
    return {
      kind: 'proof',
      mismatch: 'signature_mismatch',
      timestampSeconds,
      isMadeWith: (key, instead) => algorithm.isMadeWith(key, contentOf(delivery, names, instead), [signature]),
    }
  }

  const contentOf = (delivery: Delivery, names: readonly string[], instead: Instead = {}): SignedContent => {
    const { url = delivery.url, body = delivery.body } = instead
    const signed = signedNames(delivery, names)
    const lines = signed.map((name) => {
      const value = name === signedHeadersHeader ? signed.join(',') : (onlyHeader(delivery.headers, name) ?? '')
      return `${name}:${value.trim()}`
    })
    return [delivery.method, '\n', encodedPath(url), '\n', lines.join(';'), '\n', body]
  }

  /** In order. One that did not come, or came twice, cannot have been signed. */
  const signedNames = (delivery: Delivery, names: readonly string[]): readonly string[] => {
    const all = new Set([...names, signedHeadersHeader, timestampHeader])
    return [...all].filter((name) => onlyHeader(delivery.headers, name) !== undefined).toSorted()
  }

  return {
    describe: `HMAC-SHA256 over method, path, query, listed headers and body in ${header}`,
    headers: [header, signedHeadersHeader, timestampHeader],
    proofHeaders: [header],
    secret: utf8Secret,
    toleranceSeconds,
    isBodySigned: true,
    isUrlSigned: true,
    read,
    sign: (delivery, key, at) => {
      const stamped = withHeaders(delivery, {
        [timestampHeader]: writeTimestamp(at, 'milliseconds'),
        [signedHeadersHeader]: '',
      })
      const names = signedNames(
        stamped,
        [...stamped.headers.keys()].filter((name) => name !== header),
      )
      const made = algorithm.make(key, contentOf(stamped, names))
      return withHeaders(stamped, { [signedHeadersHeader]: names.join(','), [header]: encode(made, 'hex') })
    },
  }
}

/** The address after the host, encoded once more than it was: the query as one text, and then all of it. */
function encodedPath(url: string): string {
  const called = withoutFragment(url).replace(/^https?:\/\/[^/?]*/i, '')
  // What follows a second question mark is left out by the sender's own library too.
  const [path = '', query = ''] = (called.startsWith('/') ? called : `/${called}`).split('?')
  return encodeURI(query === '' ? path : `${path}?${encodeURIComponent(query)}`)
}
