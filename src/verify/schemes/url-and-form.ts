import { type Delivery, firstHeader } from '../../delivery/delivery.ts'
import { hmac, sha1Weakness } from '../algorithms/hmac.ts'
import { decodeStrictly, encode, isSame, sha256 } from '../bytes.ts'
import { readForm } from '../form.ts'
import { utf8Secret } from '../keys.ts'
import { type Proof, type Refusal, refuse, type Scheme, withHeaders } from '../scheme.ts'
import { portVariants, queryValue, withoutFragment } from '../url.ts'

/** HMAC-SHA1 over the URL and the sorted form fields; a body that is no form is covered by a hash in the URL. */
export function hmacOverUrlAndForm({
  header,
  bodyHashParameter,
}: {
  readonly header: string
  /** The query parameter with the hex SHA-256 of a body that is no form. */
  readonly bodyHashParameter: string
}): Scheme {
  const algorithm = hmac('sha1')

  const read = (delivery: Delivery): Proof | Refusal => {
    const sent = firstHeader(delivery.headers, header)
    if (sent === undefined || sent === '') return refuse('signature_missing')
    const signature = decodeStrictly(sent, 'base64')
    if (signature === undefined || !algorithm.hasLength(signature.length)) return refuse('signature_malformed')
    return {
      kind: 'proof',
      mismatch: 'signature_mismatch',
      isMadeWith: (key, { body = delivery.body, url = delivery.url } = {}) => {
        const bodyHash = queryValue(url, bodyHashParameter)
        if (bodyHash !== undefined && !isHashOf(bodyHash, body)) return false
        const fields = bodyHash === undefined ? sortedFields(body) : ''
        // The sender is not consistent about the port, so its own library tries the address with and without it.
        return portVariants(url).some((variant) => algorithm.isMadeWith(key, [variant, fields], [signature]))
      },
    }
  }

  return {
    describe: `HMAC-SHA1 over the URL and the sorted form fields in ${header}`,
    headers: [header],
    proofHeaders: [header],
    secret: utf8Secret,
    weaknesses: [sha1Weakness],
    isBodySigned: true,
    isUrlSigned: true,
    read,
    sign: (delivery, key) => {
      const signed = isForm(delivery) ? delivery : withBodyHash(delivery, bodyHashParameter)
      const fields = isForm(delivery) ? sortedFields(delivery.body) : ''
      const made = algorithm.make(key, [withoutFragment(signed.url), fields])
      return withHeaders(signed, { [header]: encode(made, 'base64') })
    },
  }
}

/** Names in order, each followed by its values: distinct, in order. */
function sortedFields(body: Uint8Array): string {
  const form = readForm(body)
  return [...new Set(form.keys())]
    .toSorted()
    .flatMap((name) => [...new Set(form.getAll(name))].toSorted().map((value) => name + value))
    .join('')
}

function isHashOf(text: string, body: Uint8Array): boolean {
  const bytes = decodeStrictly(text, 'hex')
  return bytes !== undefined && isSame(bytes, sha256(body))
}

function isForm(delivery: Delivery): boolean {
  const type = firstHeader(delivery.headers, 'content-type') ?? 'application/x-www-form-urlencoded'
  return type.toLowerCase().startsWith('application/x-www-form-urlencoded')
}

function withBodyHash(delivery: Delivery, parameter: string): Delivery {
  const url = new URL(delivery.url)
  url.searchParams.set(parameter, sha256(delivery.body).toString('hex'))
  return { ...delivery, url: url.href }
}
