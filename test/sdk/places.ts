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
