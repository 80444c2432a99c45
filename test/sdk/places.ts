import { createHmac } from 'node:crypto'
import { type Delivery, firstHeader } from '../../src/delivery/delivery.ts'
import type { Key, ProofPlace, TimestampPlace } from './adapter.ts'

/** A delivery with this value of one header in place of its own. */
export function withHeader(delivery: Delivery, name: string, value: string | undefined): Delivery {
  const headers = new Map(delivery.headers)
  if (value === undefined) headers.delete(name)
  else headers.set(name, [value])
  return { ...delivery, headers }
}

/** A proof in a header. */
export function proofInHeader(header: string, list?: ProofPlace['list']): ProofPlace {
  return {
    header,
    ...(list === undefined ? {} : { list }),
    read: ({ headers }) => firstHeader(headers, header) ?? '',
    write: (delivery, value) => withHeader(delivery, header, value),
  }
}

/** A proof that is a text in the JSON body, at these names. */
export function proofInBody(...path: readonly string[]): ProofPlace {
  const last = path.at(-1) ?? ''
  const ownerOf = (document: unknown): Record<string, unknown> =>
    path.slice(0, -1).reduce((value, name) => (value as Record<string, unknown>)[name], document) as never
  const parsed = ({ body }: Delivery): unknown => JSON.parse(Buffer.from(body).toString('utf8'))
  return {
    read: (delivery) => {
      const proof = ownerOf(parsed(delivery))[last]
      return typeof proof === 'string' ? proof : ''
    },
    write: (delivery, value) => {
      const document = parsed(delivery)
      if (value === undefined) delete ownerOf(document)[last]
      else ownerOf(document)[last] = value
      return { ...delivery, body: Buffer.from(JSON.stringify(document)) }
    },
  }
}

/** A proof that is a field of the form in the body. */
export function proofInForm(name: string): ProofPlace {
  const formOf = ({ body }: Delivery) => new URLSearchParams(Buffer.from(body).toString('utf8'))
  return {
    read: (delivery) => formOf(delivery).get(name) ?? '',
    write: (delivery, value) => {
      const form = formOf(delivery)
      if (value === undefined) form.delete(name)
      else form.set(name, value)
      return { ...delivery, body: Buffer.from(form.toString()) }
    },
  }
}

/** A timestamp that is a claim of the token that is the proof. */
export function timestampInToken(proof: ProofPlace, claim: string): TimestampPlace {
  const claimsOf = (delivery: Delivery): Record<string, unknown> =>
    JSON.parse(Buffer.from(proof.read(delivery).split('.')[1] ?? '', 'base64url').toString('utf8')) as never
  return {
    unit: 'seconds',
    read: (delivery) => JSON.stringify(claimsOf(delivery)[claim]),
    write: (delivery, value) => {
      const [head, , mark] = proof.read(delivery).split('.')
      const claims = JSON.stringify({ ...claimsOf(delivery), [claim]: Number(value) })
      return proof.write(delivery, [head, Buffer.from(claims).toString('base64url'), mark].join('.'))
    },
  }
}

/** A timestamp in a header of its own. */
export function timestampInHeader(
  header: string,
  { unit = 'seconds', signAnew }: Partial<Pick<TimestampPlace, 'unit' | 'signAnew'>> = {},
): TimestampPlace {
  const write = (delivery: Delivery, value: string) => withHeader(delivery, header, value)
  return {
    unit,
    read: ({ headers }) => firstHeader(headers, header) ?? '',
    write,
    ...(signAnew === undefined
      ? {}
      : { signAnew: (delivery, value, key) => signAnew(write(delivery, value), value, key) }),
  }
}

/** A timestamp in the list of the signature's header, such as `t=…`. */
export function timestampInList(
  header: string,
  name: string,
  { unit = 'seconds', signAnew }: Partial<Pick<TimestampPlace, 'unit' | 'signAnew'>> = {},
): TimestampPlace {
  const pattern = new RegExp(`((?:^|[,;\\s])${name}=)([^,;]*)`)
  const write = (delivery: Delivery, value: string) =>
    withHeader(delivery, header, (firstHeader(delivery.headers, header) ?? '').replace(pattern, `$1${value}`))
  return {
    unit,
    read: ({ headers }) => pattern.exec(firstHeader(headers, header) ?? '')?.[2] ?? '',
    write,
    ...(signAnew === undefined ? {} : { signAnew }),
  }
}

/** An HMAC of some texts and bytes, for signing anew what our own `sign` would never write. */
export function hmacOf(
  secret: string | Buffer,
  parts: readonly (string | Uint8Array)[],
  { hash = 'sha256', encoding = 'hex' }: { readonly hash?: string; readonly encoding?: 'hex' | 'base64' } = {},
): string {
  const hmac = createHmac(hash, secret)
  for (const part of parts) hmac.update(part)
  return hmac.digest(encoding)
}

/** A key that is a text. */
export function textKey(secret: string): Key {
  return { options: { secret }, library: secret }
}
