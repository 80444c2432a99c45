import type { KeyObject } from 'node:crypto'
import type { Delivery } from '../../delivery/delivery.ts'
import type { Algorithm, SignedContent } from '../algorithms/algorithm.ts'
import { decodeStrictly, encode } from '../bytes.ts'
import { parseJson } from '../json.ts'
import type { KeyFormat } from '../keys.ts'
import { type Proof, type Refusal, refuse, type Scheme } from '../scheme.ts'
import { readTimestamp, type TimestampUnit } from '../timestamp.ts'

/** A signature that stands in the document beside what it is over. */
export type SignedPart = {
  readonly algorithm: Algorithm
  /** In base64; not a text if it is missing. */
  readonly signature: unknown
  /** What it is over; several where the sender's own documents do not agree. The first signs. */
  readonly contents: readonly [SignedContent, ...SignedContent[]]
}

/** Base64 signatures over fields of a JSON body, inside that body. All of them have to be right. */
export type SignaturesInBodyOptions = {
  readonly describe: string
  /** The signed parts of a document; undefined if it is not what this sender sends. */
  readonly partsOf: (document: unknown) => readonly SignedPart[] | Refusal | undefined
  /** The document with these signatures, in the order of its parts. */
  readonly withSignatures: (document: unknown, signatures: readonly string[]) => unknown
  /** A signed timestamp. */
  readonly timestamp?: {
    readonly of: (document: unknown) => unknown
    readonly unit: TimestampUnit
    readonly toleranceSeconds: number
  }
} & Pick<Scheme, 'weaknesses' | 'keySource'> & {
    readonly proofPaths: readonly string[]
    readonly secret?: KeyFormat
    readonly publicKey?: KeyFormat
    readonly privateKey?: KeyFormat
  }

/** For senders that sign some fields instead of the bytes: what is not among them is not covered. */
export function signaturesInBody(options: SignaturesInBodyOptions): Scheme {
  const { partsOf, withSignatures, timestamp, describe, ...others } = options

  const read = ({ body }: Delivery): Proof | Refusal => {
    const document = documentOf(body, 'exact')
    const parts = partsOf(document) ?? []
    if (isRefusal(parts)) return parts
    if (parts.length === 0 || parts.some(({ signature }) => isMissing(signature))) return refuse('signature_missing')
    if (parts.some((part) => bytesOf(part) === undefined)) return refuse('signature_malformed')
    const time = timeOf(document, timestamp)
    if ('kind' in time) return time
    return {
      kind: 'proof',
      mismatch: 'signature_mismatch',
      ...time,
      isMadeWith: (key) => parts.every((part) => isPartMadeWith(part, key)),
    }
  }

  return {
    describe,
    headers: [],
    proofHeaders: [],
    ...(timestamp === undefined ? {} : { toleranceSeconds: timestamp.toleranceSeconds }),
    isBodySigned: true,
    isUrlSigned: false,
    ...others,
    read,
    sign: (delivery, key) => {
      const document = documentOf(delivery.body, 'plain')
      const parts = partsOf(document)
      if (parts === undefined || isRefusal(parts)) return delivery
      const made = parts.map(({ algorithm, contents }) => encode(algorithm.make(key, contents[0]), 'base64'))
      return { ...delivery, body: Buffer.from(JSON.stringify(withSignatures(document, made)), 'utf8') }
    },
  }
}

function isRefusal(parts: readonly SignedPart[] | Refusal): parts is Refusal {
  return 'kind' in parts
}

function isPartMadeWith(part: SignedPart, key: KeyObject): boolean {
  const bytes = bytesOf(part)
  return bytes !== undefined && part.contents.some((content) => part.algorithm.isMadeWith(key, content, [bytes]))
}

function bytesOf({ signature, algorithm }: SignedPart): Uint8Array | undefined {
  const bytes = typeof signature === 'string' ? decodeStrictly(signature, 'base64') : undefined
  return bytes !== undefined && algorithm.hasLength(bytes.length) ? bytes : undefined
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

function timeOf(
  document: unknown,
  timestamp: SignaturesInBodyOptions['timestamp'],
): { readonly timestampSeconds?: number } | Refusal {
  if (timestamp === undefined) return {}
  const text = timestamp.of(document)
  if (isMissing(text)) return refuse('timestamp_missing')
  const timestampSeconds = typeof text === 'string' ? readTimestamp(text, timestamp.unit) : undefined
  return timestampSeconds === undefined ? refuse('timestamp_malformed') : { timestampSeconds }
}

function documentOf(body: Uint8Array, numbers: 'exact' | 'plain'): unknown {
  const parsed = parseJson(body, numbers)
  return parsed.kind === 'parsed' ? parsed.document : undefined
}
