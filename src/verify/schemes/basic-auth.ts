import { type Delivery, firstHeader } from '../../delivery/delivery.ts'
import { decodeStrictly, isSameSecret } from '../bytes.ts'
import { utf8Secret } from '../keys.ts'
import { type Proof, type Refusal, refuse, type Scheme, withHeaders } from '../scheme.ts'

/** HTTP basic authentication; the secret is `user:password`. It says nothing about the body. */
export function basicAuth(): Scheme {
  const read = (delivery: Delivery): Proof | Refusal => {
    const sent = firstHeader(delivery.headers, 'authorization')
    if (sent === undefined || sent === '') return refuse('token_missing')
    const encoded = /^basic ([A-Za-z0-9+/=]+)$/i.exec(sent)?.[1]
    const given = encoded === undefined ? undefined : decodeStrictly(encoded, 'base64')
    if (given === undefined) return refuse('signature_malformed')
    return { kind: 'proof', mismatch: 'token_mismatch', isMadeWith: (key) => isSameSecret(given, key.export()) }
  }

  return {
    describe: 'basic authentication',
    headers: ['authorization'],
    proofHeaders: ['authorization'],
    secret: (material) => {
      const key = utf8Secret(material)
      const hasColon = Buffer.from(typeof material === 'string' ? material : Buffer.from(material)).includes(':')
      return hasColon ? key : { mistake: 'must have the form user:password' }
    },
    isBodySigned: false,
    isUrlSigned: false,
    read,
    sign: (delivery, key) => withHeaders(delivery, { authorization: `Basic ${key.export().toString('base64')}` }),
  }
}
