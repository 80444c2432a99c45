import type { KeyObject } from 'node:crypto'
import type { Algorithm } from '../algorithms/algorithm.ts'
import { decodeStrictly, type Encoding, encode } from '../bytes.ts'

/** One signature out of a header, decoded. */
export type SentSignature = { readonly algorithm: Algorithm; readonly bytes: Uint8Array }

/** What a signature header holds. */
export type SignatureHeader = {
  readonly kind: 'read'
  readonly timestamp?: string
  readonly signatures: readonly SentSignature[]
}

/** How signatures are written in a header. */
export type SignatureFormat = {
  readonly algorithms: readonly Algorithm[]
  /** What stands between the parts of the header; empty if there is one part. */
  readonly separator: string
  readonly read: (text: string) => SignatureHeader | { readonly kind: 'missing' | 'malformed' }
  readonly write: (made: {
    readonly signature: Uint8Array
    readonly algorithm: Algorithm
    readonly timestamp: string
  }) => string
}

/** More than any rotation needs; bounds what one request can make us compute. */
const mostSignatures = 16

/** The whole header is one signature, after a prefix such as `sha256=`. */
export function plain({
  algorithm,
  encoding,
  prefix = '',
}: {
  readonly algorithm: Algorithm
  readonly encoding: Encoding
  readonly prefix?: string
}): SignatureFormat {
  return {
    algorithms: [algorithm],
    separator: '',
    read: (text) => {
      if (!text.startsWith(prefix)) return { kind: 'malformed' }
      return readAll([{ algorithm, text: text.slice(prefix.length) }], encoding)
    },
    write: ({ signature }) => prefix + encode(signature, encoding),
  }
}

/** A list of `name=value`, such as `t=1700000000,v1=5257a8…`. */
export function pairs({
  algorithm,
  encoding,
  separator,
  timestamp,
  signature,
  which = 'any',
}: {
  readonly algorithm: Algorithm
  readonly encoding: Encoding
  readonly separator: string
  /** The name of the timestamp, if the list holds one. */
  readonly timestamp?: string
  /** The name of a signature. Others in the list are ignored. */
  readonly signature: string
  /** Which of several signatures may match. */
  readonly which?: 'any' | 'last'
}): SignatureFormat {
  return {
    algorithms: [algorithm],
    separator,
    read: (text) => {
      const sent: { readonly algorithm: Algorithm; readonly text: string }[] = []
      let stamp: string | undefined
      for (const pair of text.split(separator, mostSignatures * 4)) {
        const equals = pair.indexOf('=')
        const name = (equals < 0 ? pair : pair.slice(0, equals)).trim()
        if (name !== signature && name !== timestamp) continue
        const value = equals < 0 ? '' : pair.slice(equals + 1).trim()
        if (name === signature) sent.push({ algorithm, text: value })
        // Two timestamps have no one meaning, so they are joined into what is no number.
        else stamp = stamp === undefined ? value : stamp + separator + value
      }
      const read = readAll(which === 'last' ? sent.slice(-1) : sent, encoding)
      if (read.kind !== 'read' || stamp === undefined) return read
      return { kind: 'read', signatures: read.signatures, timestamp: stamp }
    },
    write: ({ signature: made, timestamp: stamp }) =>
      [...(timestamp === undefined ? [] : [`${timestamp}=${stamp}`]), `${signature}=${encode(made, encoding)}`].join(
        separator,
      ),
  }
}

/** A list of signatures, after the timestamp if it starts with one, such as `1700000000000,5257a8…,6ffbb5…`. */
export function list({
  algorithm,
  encoding,
  separator,
  isTimestampFirst = false,
}: {
  readonly algorithm: Algorithm
  readonly encoding: Encoding
  readonly separator: string
  readonly isTimestampFirst?: boolean
}): SignatureFormat {
  return {
    algorithms: [algorithm],
    separator,
    read: (text) => {
      const entries = text.split(separator, mostSignatures + 2).map((entry) => entry.trim())
      const sent = isTimestampFirst ? entries.slice(1) : entries
      const read = readAll(
        sent.map((entry) => ({ algorithm, text: entry })),
        encoding,
      )
      if (read.kind !== 'read' || !isTimestampFirst) return read
      // What is no signature may be a second timestamp: then the header was sent twice and has no one meaning.
      return read.signatures.length === sent.length ? { ...read, timestamp: entries[0] ?? '' } : { kind: 'malformed' }
    },
    write: ({ signature, timestamp }) =>
      [...(isTimestampFirst ? [timestamp] : []), encode(signature, encoding)].join(separator),
  }
}

/** A list of `version,signature` with spaces between, as in Standard Webhooks. Versions without an algorithm are ignored. */
export function versions({
  algorithms,
  encoding,
}: {
  readonly algorithms: Readonly<Record<string, Algorithm>>
  readonly encoding: Encoding
}): SignatureFormat {
  const known = new Map(Object.entries(algorithms))
  return {
    algorithms: [...known.values()],
    separator: ' ',
    read: (text) => {
      const sent = text.split(' ', mostSignatures * 4).flatMap((entry) => {
        const comma = entry.indexOf(',')
        const algorithm = known.get(entry.slice(0, Math.max(comma, 0)))
        return algorithm === undefined ? [] : [{ algorithm, text: entry.slice(comma + 1) }]
      })
      return readAll(sent, encoding)
    },
    write: ({ signature, algorithm }) => {
      const version = [...known].find(([, candidate]) => candidate === algorithm)?.[0] ?? ''
      return `${version},${encode(signature, encoding)}`
    },
  }
}

/** The algorithm that signs with a key of this kind. */
export function algorithmFor(format: SignatureFormat, key: KeyObject): Algorithm | undefined {
  const keyType = key.type === 'private' ? 'public' : key.type
  return format.algorithms.find((algorithm) => algorithm.keyType === keyType)
}

/** A wrong length is no signature at all: `v1,` alone once verified elsewhere, as an equal prefix of every digest. */
function readAll(
  sent: readonly { readonly algorithm: Algorithm; readonly text: string }[],
  encoding: Encoding,
): SignatureHeader | { readonly kind: 'missing' | 'malformed' } {
  if (sent.length === 0) return { kind: 'missing' }
  if (sent.length > mostSignatures) return { kind: 'malformed' }
  const signatures: SentSignature[] = []
  for (const { algorithm, text } of sent) {
    const bytes = decodeStrictly(text, encoding)
    if (bytes !== undefined && algorithm.hasLength(bytes.length)) signatures.push({ algorithm, bytes })
  }
  return signatures.length === 0 ? { kind: 'malformed' } : { kind: 'read', signatures }
}
