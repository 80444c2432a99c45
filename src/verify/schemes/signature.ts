import type { Delivery } from '../../delivery/delivery.ts'
import { firstHeader } from '../../delivery/delivery.ts'
import { type KeyFormat, utf8Secret } from '../keys.ts'
import { type Instead, type Proof, type Refusal, refuse, type Scheme, withHeaders } from '../scheme.ts'
import { readTimestamp, type TimestampUnit, writeTimestamp } from '../timestamp.ts'
import { algorithmFor, type SignatureFormat, type SignatureHeader } from './signature-format.ts'
import { type TemplateValues, template } from './template.ts'

/** A signature in a header, over the body and what the template puts around it. */
export type SignatureOptions = {
  /** The header; of several names the first that is present counts, and the first signs. */
  readonly header: string | readonly string[]
  /** With several names: `any` takes the signatures of all that are present, as where each key has a header of its own. */
  readonly whichHeader?: 'first' | 'any'
  readonly format: SignatureFormat
  /** What is signed. Default `{body}`. */
  readonly over?: string
  /** The header with the timestamp, where the signature's own header does not hold it. */
  readonly timestampHeader?: string
  readonly timestampUnit?: TimestampUnit
  /** Where the timestamp is inside the signed body: the text there, undefined if there is none. */
  readonly timestampIn?: (delivery: Delivery) => string | undefined
  /** The header with the id, where the id is signed. */
  readonly idHeader?: string
  readonly toleranceSeconds?: number
  readonly secret?: KeyFormat
  readonly publicKey?: KeyFormat
  readonly privateKey?: KeyFormat
}

/** HMAC, Ed25519, ECDSA or RSA over the exact bytes. */
export function signature(options: SignatureOptions): Scheme {
  const { format, timestampHeader, timestampUnit = 'seconds', timestampIn, idHeader, toleranceSeconds } = options
  const names = typeof options.header === 'string' ? [options.header] : options.header
  const over = template(options.over ?? '{body}')
  const takesSecret = format.algorithms.some(({ keyType }) => keyType === 'secret')

  const read = (delivery: Delivery): Proof | Refusal => {
    const header = readHeaders(delivery)
    if (header.kind === 'forged') return header

    const id = idHeader === undefined ? '' : firstHeader(delivery.headers, idHeader)
    if (id === undefined || (idHeader !== undefined && id === '')) return refuse('signature_missing')
    if (!over.has('timestamp') && timestampIn === undefined) return proofOf(header, delivery, { id, timestamp: '' })

    const timestamp =
      timestampIn !== undefined
        ? timestampIn(delivery)
        : timestampHeader === undefined
          ? header.timestamp
          : firstHeader(delivery.headers, timestampHeader)
    if (timestamp === undefined || timestamp === '') return refuse('timestamp_missing')
    const timestampSeconds = readTimestamp(timestamp, timestampUnit)
    if (timestampSeconds === undefined) return refuse('timestamp_malformed')
    return proofOf(header, delivery, { id, timestamp }, timestampSeconds)
  }

  /** What the header holds; with several that count, what they hold together. */
  const readHeaders = (delivery: Delivery): SignatureHeader | Refusal => {
    const [only] = names
    if (names.length === 1 && only !== undefined) return readHeader(firstHeader(delivery.headers, only) ?? '')
    const present = names.map((name) => firstHeader(delivery.headers, name)).filter((value) => value !== undefined)
    const counting = options.whichHeader === 'any' ? present : present.slice(0, 1)
    if (counting.every((sent) => sent === '')) return refuse('signature_missing')
    if (counting.some(isRepeated)) return refuse('signature_repeated')
    const read = counting.map((sent) => format.read(sent))
    const right = read.filter((header) => header.kind === 'read')
    const [first] = right
    if (first === undefined)
      return refuse(`signature_${read.some(({ kind }) => kind === 'malformed') ? 'malformed' : 'missing'}`)
    return { ...first, signatures: right.flatMap(({ signatures }) => signatures) }
  }

  const readHeader = (sent: string): SignatureHeader | Refusal => {
    if (sent === '') return refuse('signature_missing')
    if (isRepeated(sent)) return refuse('signature_repeated')
    const read = format.read(sent)
    return read.kind === 'read' ? read : refuse(`signature_${read.kind}`)
  }

  /** `Headers` joins what was sent twice with a comma and a space. */
  const isRepeated = (sent: string): boolean => format.separator !== ',' && sent.includes(', ')

  const proofOf = (
    header: SignatureHeader,
    delivery: Delivery,
    sent: { readonly id: string; readonly timestamp: string },
    timestampSeconds?: number,
  ): Proof => ({
    kind: 'proof',
    mismatch: 'signature_mismatch',
    timestampSeconds,
    isMadeWith: (key, instead) => {
      const algorithm = algorithmFor(format, key)
      const signatures: Uint8Array[] = []
      for (const candidate of header.signatures) if (candidate.algorithm === algorithm) signatures.push(candidate.bytes)
      if (algorithm === undefined || signatures.length === 0) return false
      return algorithm.isMadeWith(key, over.fill(valuesOf(delivery, sent, instead)), signatures)
    },
  })

  return {
    describe: `${format.algorithms.map(({ name }) => name).join(' or ')} over ${over.text.replaceAll('\n', '\\n')} in ${names[0]}`,
    headers: [...names, timestampHeader, idHeader].filter((name) => name !== undefined),
    proofHeaders: names,
    ...(takesSecret ? { secret: options.secret ?? utf8Secret } : {}),
    ...(options.publicKey === undefined ? {} : { publicKey: options.publicKey }),
    ...(options.privateKey === undefined ? {} : { privateKey: options.privateKey }),
    ...(toleranceSeconds === undefined ? {} : { toleranceSeconds }),
    weaknesses: format.algorithms.flatMap(({ weakness = [] }) => weakness),
    isBodySigned: over.has('body'),
    isUrlSigned: over.has('url'),
    read,
    sign: (delivery, key, at) => {
      const timestamp = writeTimestamp(at, timestampUnit)
      const id = idHeader === undefined ? '' : (firstHeader(delivery.headers, idHeader) ?? '')
      const algorithm = algorithmFor(format, key)
      if (algorithm === undefined) throw new TypeError(`No algorithm of this scheme signs with a ${key.type} key.`)
      const made = algorithm.make(key, over.fill(valuesOf(delivery, { id, timestamp })))
      return withHeaders(delivery, {
        ...(timestampHeader === undefined ? {} : { [timestampHeader]: timestamp }),
        [names[0] as string]: format.write({ signature: made, algorithm, timestamp }),
      })
    },
  }
}

const asSent: Instead = {}

function valuesOf(
  delivery: Delivery,
  sent: { readonly id: string; readonly timestamp: string },
  instead: Instead = asSent,
): TemplateValues {
  return {
    id: sent.id,
    timestamp: sent.timestamp,
    body: instead.body ?? delivery.body,
    url: instead.url ?? delivery.url,
    method: delivery.method,
  }
}
