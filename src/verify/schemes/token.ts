import { type Delivery, firstHeader } from '../../delivery/delivery.ts'
import { isSameSecret } from '../bytes.ts'
import { utf8Secret } from '../keys.ts'
import { type Proof, type Refusal, refuse, type Scheme, withHeaders } from '../scheme.ts'
import { queryOf, withQueryValue } from '../url.ts'

/** Where a token travels. */
export type TokenPlace = { readonly header: string; readonly prefix?: string } | { readonly query: string }

/** A constant secret that is sent along. It proves who knows the secret, and nothing about the body. */
export function token(place: TokenPlace): Scheme {
  const isInHeader = 'header' in place

  const read = (delivery: Delivery): Proof | Refusal => {
    const sent = isInHeader ? [firstHeader(delivery.headers, place.header)] : queryOf(delivery.url).getAll(place.query)
    if (sent.length > 1) return refuse('signature_repeated')
    const text = sent[0]
    if (text === undefined || text === '') return refuse('token_missing')
    const prefix = isInHeader ? (place.prefix ?? '') : ''
    if (!text.startsWith(prefix)) return refuse('token_mismatch')
    const given = text.slice(prefix.length)
    return {
      kind: 'proof',
      mismatch: 'token_mismatch',
      // Node reads header bytes as Latin-1, so a token that was sent as UTF-8 has to be turned back into bytes that way.
      isMadeWith: (key) =>
        isSameSecret(Buffer.from(given, 'utf8'), key.export()) ||
        isSameSecret(Buffer.from(given, 'latin1'), key.export()),
    }
  }

  return {
    describe: isInHeader ? `constant token in ${place.header}` : `constant token in the query parameter ${place.query}`,
    headers: isInHeader ? [place.header] : [],
    proofHeaders: isInHeader ? [place.header] : [],
    secret: utf8Secret,
    isBodySigned: false,
    isUrlSigned: false,
    read,
    sign: (delivery, key) => {
      const text = key.export().toString('utf8')
      if (isInHeader) return withHeaders(delivery, { [place.header]: (place.prefix ?? '') + text })
      return { ...delivery, url: withQueryValue(delivery.url, place.query, text) }
    },
  }
}
