import { hmac } from '../algorithms/hmac.ts'
import { base64Secret, type KeyFormat } from '../keys.ts'
import type { Scheme } from '../scheme.ts'
import { firstOf } from './first-of.ts'
import { signature } from './signature.ts'
import { type SignatureFormat, versions } from './signature-format.ts'

/** The scheme of Standard Webhooks with a shared secret or a key pair, as many providers send it under their own names. */
export function standardWebhooksScheme({
  names = ['webhook'],
  secret = base64Secret({ prefix: 'whsec_' }),
  format = versions({ algorithms: { v1: hmac('sha256') }, encoding: 'base64' }),
  ...keyPair
}: {
  /** What the headers start with, for example `svix` for `svix-id`. Of several, the first that is present counts. */
  readonly names?: readonly [string, ...string[]]
  readonly secret?: KeyFormat
  readonly format?: SignatureFormat
  readonly publicKey?: KeyFormat
  readonly privateKey?: KeyFormat
} = {}): Scheme {
  const [first, ...others] = names.map((name) =>
    signature({
      header: `${name}-signature`,
      format,
      over: '{id}.{timestamp}.{body}',
      idHeader: `${name}-id`,
      timestampHeader: `${name}-timestamp`,
      toleranceSeconds: 300,
      secret,
      ...keyPair,
    }),
  ) as [Scheme, ...Scheme[]]
  return others.length === 0 ? first : firstOf([first, ...others])
}
