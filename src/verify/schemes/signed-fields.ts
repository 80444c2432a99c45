import type { Delivery } from '../../delivery/delivery.ts'
import type { Algorithm } from '../algorithms/algorithm.ts'
import { decodeStrictly, type Encoding, encode } from '../bytes.ts'
import { freshId } from '../compose.ts'
import { withField } from '../field-place.ts'
import { parseJson } from '../json.ts'
import { utf8Secret } from '../keys.ts'
import { field, isObject } from '../object.ts'
import { idText } from '../safe-id.ts'
import { type Proof, type Refusal, refuse, type Scheme } from '../scheme.ts'
import { readTimestamp, writeTimestamp } from '../timestamp.ts'

/** A signature in the JSON body over fields of the same body. Paths have dots: `signature.token`. */
export type SignedFieldsOptions = {
  readonly algorithm: Algorithm
  readonly encoding: Encoding
  /** Where the signatures are, of which any may match; the first one is written. */
  readonly signatures: readonly [string, ...string[]]
  /** The fields that are signed, joined in this order without anything between them. */
  readonly over: readonly string[]
  /** Which of them is the time, in seconds. */
  readonly timestamp: string
  readonly toleranceSeconds: number
}

/** A proof inside the body that covers a few fields of it and nothing else. */
export function signedFields({ algorithm, encoding, toleranceSeconds, ...paths }: SignedFieldsOptions): Scheme {
  const read = (delivery: Delivery): Proof | Refusal => {
    const document = documentOf(delivery)
    const sent = paths.signatures.map((path) => idText(field(document, path))).filter((text) => text !== undefined)
    if (sent.length === 0) return refuse('signature_missing')
    const signatures = sent
      .map((text) => decodeStrictly(text, encoding))
      .filter((bytes) => bytes !== undefined && algorithm.hasLength(bytes.length)) as readonly Uint8Array[]
    if (signatures.length === 0) return refuse('signature_malformed')
    const timestamp = idText(field(document, paths.timestamp))
    if (timestamp === undefined) return refuse('timestamp_missing')
    const timestampSeconds = readTimestamp(timestamp, 'seconds')
    if (timestampSeconds === undefined) return refuse('timestamp_malformed')
    const signed = paths.over.map((path) => idText(field(document, path)))
    if (!signed.every((text) => text !== undefined)) return refuse('signature_missing')
    return {
      kind: 'proof',
      mismatch: 'signature_mismatch',
      timestampSeconds,
      isMadeWith: (key) => algorithm.isMadeWith(key, signed, signatures),
    }
  }

  return {
    describe: `${algorithm.name} over ${paths.over.join(' and ')} in ${paths.signatures[0]}, all inside the body`,
    headers: [],
    proofHeaders: [],
    proofPaths: paths.signatures,
    secret: utf8Secret,
    toleranceSeconds,
    isBodySigned: false,
    isUrlSigned: false,
    read,
    sign: (delivery, key, at) => {
      const document = documentOf(delivery)
      if (!isObject(document)) return delivery
      const texts = paths.over.map((path) =>
        path === paths.timestamp ? writeTimestamp(at, 'seconds') : (idText(field(document, path)) ?? freshId()),
      )
      const filled = paths.over.reduce((filling, path, index) => withField(filling, path, texts[index]), document)
      const signature = encode(algorithm.make(key, texts), encoding)
      const body = JSON.stringify(withField(filled, paths.signatures[0], signature))
      return { ...delivery, body: Buffer.from(body, 'utf8') }
    },
  }
}

function documentOf({ body }: Delivery): unknown {
  const parsed = parseJson(body, 'plain')
  return parsed.kind === 'parsed' ? parsed.document : undefined
}
