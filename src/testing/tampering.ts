import type { Delivery, Provider } from '../index.ts'
import type { Random } from './random.ts'

export type Tampering = {
  readonly provider: Provider
  readonly stranger?: Provider | undefined
  readonly delivery: Delivery
  readonly at: Date
}

/** The delivery with a signature that looks right and is not. Undefined where the signature is not in a header. */
export function corruptSignature(tampering: Tampering): Delivery | undefined {
  const { delivery } = tampering
  for (const [name, others] of signatureHeaders(tampering)) {
    const value = delivery.headers.get(name)?.[0] ?? ''
    const corrupted = withOneOther(value, others)
    const headers = new Map(delivery.headers).set(name, [corrupted])
    const changed = { ...delivery, headers }
    if (isRefused(tampering, changed)) return changed
  }
  return undefined
}

/** The delivery without its signature. */
export function withoutSignature(tampering: Tampering): Delivery | undefined {
  const names = signatureHeaders(tampering).map(([name]) => name)
  if (names.length === 0) return undefined
  const headers = new Map([...tampering.delivery.headers].filter(([name]) => !names.includes(name)))
  const changed = { ...tampering.delivery, headers }
  return isRefused(tampering, changed) ? changed : undefined
}

/** The delivery with one digit or letter of its body replaced, somewhere that keeps it readable. */
export function changeOneByte(tampering: Tampering & { readonly random: Random }): Delivery | undefined {
  const { delivery, random, provider } = tampering
  const places = [...delivery.body.keys()].filter((index) => isDigit(delivery.body[index] ?? 0))
  for (const place of random.shuffled(places)) {
    const body = Uint8Array.from(delivery.body)
    body[place] = body[place] === nine ? nine - 1 : (body[place] ?? 0) + 1
    const changed = { ...delivery, body }
    // The id stays what it was, so that an effect can be found.
    if (isRefused(tampering, changed) && idOf(provider, changed) === idOf(provider, delivery)) return changed
  }
  return undefined
}

const nine = 0x39

function isDigit(byte: number): boolean {
  // Not a zero: in front of a number it would no longer be JSON.
  return byte > 0x30 && byte <= nine
}

function isRefused({ provider, at }: Tampering, changed: Delivery): boolean {
  return provider.verify(changed, at).kind !== 'authentic'
}

function idOf(provider: Provider, delivery: Delivery): string | undefined {
  const identified = provider.identify(delivery)
  return Array.isArray(identified) ? identified[0]?.id : undefined
}

/** The headers that depend on the secret, or else on the body, each with the value that it has with another one. */
function signatureHeaders({ provider, stranger, delivery, at }: Tampering): readonly (readonly [string, string])[] {
  const { url, method, headers, body } = delivery
  const plain = Object.fromEntries([...headers].map(([name, values]) => [name, values.join(', ')]))
  const own = provider.sign({ url, method, headers: plain, body }, at)
  const other =
    stranger === undefined
      ? provider.sign({ url, method, headers: plain, body: Buffer.concat([body, Buffer.from(' ')]) }, at)
      : stranger.sign({ url, method, headers: plain, body }, at)
  return [...own.headers].flatMap(([name, [value = '']]) => {
    const [otherValue = ''] = other.headers.get(name) ?? []
    return value === otherValue ? [] : [[name, otherValue] as const]
  })
}

/** Replaces a character where the two differ: there it is part of the signature, not of its form. */
function withOneOther(value: string, other: string): string {
  const places = Array.from(value, (_, index) => index).filter((index) => value[index] !== other[index])
  const place = places[Math.floor(places.length / 2)] ?? Math.floor(value.length / 2)
  const replacement = value[place] === 'a' ? 'b' : 'a'
  return value.slice(0, place) + replacement + value.slice(place + 1)
}
