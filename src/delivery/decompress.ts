import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import type { SourceSettings } from '../verify/provider.ts'
import type { DeliveryHeaders } from './delivery.ts'
import type { Outcome } from './outcome.ts'
import type { BodyRead } from './read-body.ts'

/** How a body is packed, if that is something we open. */
export type BodyEncoding =
  | { readonly kind: 'plain' }
  | { readonly kind: 'packed'; readonly unpack: Unpack }
  | Extract<Outcome, { readonly kind: 'unsupported_encoding' }>

type Unpack = (body: Uint8Array, options: { readonly maxOutputLength: number }) => Promise<Uint8Array>

const unpackers: ReadonlyMap<string, Unpack> = new Map<string, Unpack>([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
])

const plain: BodyEncoding = { kind: 'plain' }

/**
 * How the body is packed, by its headers. A few hundred bytes can unpack to gigabytes, so packed bodies are refused
 * unless the source asks for them; several encodings on top of each other always are.
 */
export function encodingOf(headers: DeliveryHeaders, decompress: SourceSettings['decompress']): BodyEncoding {
  const given = headers.get('content-encoding')
  if (given === undefined) return plain
  const encoding = given.join(',').trim().toLowerCase()
  if (encoding === '' || encoding === 'identity') return plain
  const unpack = decompress === 'bounded' ? unpackers.get(encoding) : undefined
  return unpack === undefined
    ? { kind: 'unsupported_encoding', encoding: encoding.slice(0, 100) }
    : { kind: 'packed', unpack }
}

/** Unpacks a body to at most the limit; unpacking stops where it passes it. */
export async function decompress(body: Uint8Array, unpack: Unpack, limitBytes: number): Promise<BodyRead> {
  try {
    return { kind: 'complete', body: await unpack(body, { maxOutputLength: limitBytes }) }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') {
      return { kind: 'too_large', limitBytes }
    }
    return { kind: 'malformed', detail: 'The body is not what its content-encoding says.' }
  }
}
