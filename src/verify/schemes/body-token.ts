import type { Delivery } from '../../delivery/delivery.ts'
import { isSameText } from '../bytes.ts'
import { withField } from '../field-place.ts'
import { parseJson } from '../json.ts'
import { utf8Secret } from '../keys.ts'
import { field, isObject } from '../object.ts'
import { type Proof, type Refusal, refuse, type Scheme } from '../scheme.ts'

/** A constant secret inside the JSON body. It proves who knows the secret, and nothing about the rest of the body. */
export function bodyToken({ field: path }: { readonly field: string }): Scheme {
  const read = (delivery: Delivery): Proof | Refusal => {
    const given = tokenIn(delivery)
    if (given === undefined) return refuse('token_missing')
    return {
      kind: 'proof',
      mismatch: 'token_mismatch',
      isMadeWith: (key) => isSameText(given, key.export().toString('utf8')),
    }
  }

  const tokenIn = ({ body }: Delivery): string | undefined => {
    const token = field(documentOf(body), path)
    return typeof token === 'string' && token !== '' ? token : undefined
  }

  return {
    describe: `constant token in the body field "${path}"`,
    headers: [],
    proofHeaders: [],
    proofPaths: [path],
    secret: utf8Secret,
    isBodySigned: false,
    isUrlSigned: false,
    read,
    sign: (delivery, key) => {
      const token = key.export().toString('utf8')
      const document = documentOf(delivery.body)
      // A body that holds the token already is sent again byte for byte.
      if (tokenIn(delivery) === token || !isObject(document)) return delivery
      return { ...delivery, body: Buffer.from(JSON.stringify(withField(document, path, token)), 'utf8') }
    },
  }
}

function documentOf(body: Uint8Array): unknown {
  const parsed = parseJson(body, 'plain')
  return parsed.kind === 'parsed' ? parsed.document : undefined
}
