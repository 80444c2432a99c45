import type { Delivery } from '../../delivery/delivery.ts'
import { hmac } from '../algorithms/hmac.ts'
import { readForm } from '../form.ts'
import type { Scheme } from '../scheme.ts'
import { queryOf } from '../url.ts'
import { eachOnce } from './each-once.ts'
import { overText } from './over-text.ts'
import { signature } from './signature.ts'
import { list } from './signature-format.ts'

/** Where the signatures are, of which any may match, and the nonce that is signed with the request. */
export type NonceHeaders = { readonly headers: readonly [string, ...string[]]; readonly nonceHeader: string }

/** HMAC-SHA256 over the address with its query decoded and sorted, the sorted form fields, and a nonce. */
export function hmacOverSortedUrlAndForm({ headers, nonceHeader }: NonceHeaders): Scheme {
  return overText(
    {
      describe: `HMAC-SHA256 over the address with its query sorted, the sorted form fields and a nonce in ${headers[0]}`,
      textOf: addressAndFields,
      isBodySigned: true,
      isUrlSigned: true,
    },
    signature({ header: headers, whichHeader: 'any', format, over: '{body}.{id}', idHeader: nonceHeader }),
  )
}

/** HMAC-SHA256 over the address without its query, and a nonce. */
export function hmacOverAddressAndNonce({ headers, nonceHeader }: NonceHeaders): Scheme {
  return overText(
    {
      describe: `HMAC-SHA256 over the address without its query and a nonce in ${headers[0]}`,
      textOf: ({ url }) => addressOf(url),
      isBodySigned: false,
      isUrlSigned: true,
    },
    signature({ header: headers, whichHeader: 'any', format, over: '{body}{id}', idHeader: nonceHeader }),
  )
}

const format = eachOnce(list({ algorithm: hmac('sha256'), encoding: 'base64', separator: ',' }))

function addressAndFields({ url, body }: Delivery): string {
  const form = readForm(body)
  const query = sortedPairs(queryOf(url), '=').join('&')
  const address = query === '' && form.size === 0 ? addressOf(url) : `${addressOf(url)}?${query}`
  return `${address}${query === '' || form.size === 0 ? '' : '.'}${sortedPairs(form, '').join('')}`
}

function addressOf(url: string): string {
  return url.split(/[?#]/, 1)[0] ?? ''
}

/** By name, and of one name by value; nothing is encoded again. */
function sortedPairs(parameters: URLSearchParams, between: string): readonly string[] {
  const names = [...new Set(parameters.keys())].toSorted()
  return names.flatMap((name) => {
    const values = parameters.getAll(name).toSorted()
    return values.map((value) => name + between + value)
  })
}
