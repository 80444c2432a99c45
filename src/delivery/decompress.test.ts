import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { decompress, encodingOf } from './decompress.ts'
import { toDeliveryHeaders } from './delivery.ts'
import type { BodyRead } from './read-body.ts'

const packers = [
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
] as const

describe('the encoding of a body', () => {
  test.each([{}, { 'content-encoding': 'identity' }, { 'content-encoding': '' }])('is plain by %j', (headers) => {
    expect(encodingOf(toDeliveryHeaders(headers), 'refuse')).toEqual({ kind: 'plain' })
  })

  test.each(packers)('is not opened when it is %s and the source did not ask for it', (encoding) => {
    const headers = toDeliveryHeaders({ 'content-encoding': encoding })

    expect(encodingOf(headers, 'refuse')).toEqual({ kind: 'unsupported_encoding', encoding })
  })

  test.each([['zstd'], ['gzip, gzip'], ['identity, gzip'], ['constructor']])(
    'is never opened when it is %s',
    (encoding) => {
      const headers = toDeliveryHeaders({ 'content-encoding': encoding })

      expect(encodingOf(headers, 'bounded')).toEqual({ kind: 'unsupported_encoding', encoding })
    },
  )

  test('is not opened when the header was sent twice', () => {
    const headers = toDeliveryHeaders({ 'content-encoding': ['gzip', 'gzip'] })

    expect(encodingOf(headers, 'bounded')).toMatchObject({ kind: 'unsupported_encoding' })
  })
})

describe.each(packers)('a body packed with %s', (encoding, pack) => {
  test('comes out as it was, up to the limit', async () => {
    const content = Buffer.from([0, 255, 0xc3, 0x28])

    expect(await unpack(encoding, pack(content), 4)).toEqual({ kind: 'complete', body: content })
  })

  test('is too large when it unpacks past the limit', async () => {
    const bomb = pack(Buffer.alloc(20_000_000))

    expect(await unpack(encoding, bomb, 1_000_000)).toEqual({ kind: 'too_large', limitBytes: 1_000_000 })
  })

  test('is malformed when it is broken or cut', async () => {
    const packed = pack(Buffer.from('a body that is long enough to be cut'))

    expect(await unpack(encoding, Buffer.from('not packed at all'), 1000)).toMatchObject({ kind: 'malformed' })
    expect(await unpack(encoding, packed.subarray(0, -5), 1000)).toMatchObject({ kind: 'malformed' })
  })
})

async function unpack(name: string, body: Uint8Array, limitBytes: number): Promise<BodyRead> {
  const encoding = encodingOf(toDeliveryHeaders({ 'Content-Encoding': name.toUpperCase() }), 'bounded')
  if (encoding.kind !== 'packed') throw new Error(`${name} is ${encoding.kind}.`)
  return decompress(body, encoding.unpack, limitBytes)
}
