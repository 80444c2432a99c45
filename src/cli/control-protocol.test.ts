import { describe, expect, test } from 'vitest'
import { decode, encode } from './control-protocol.ts'

describe('what goes over the control socket', () => {
  test('keeps times as times and leaves other texts alone', () => {
    const receipt = { id: '1', receivedAt: new Date('2026-01-02T03:04:05.678Z'), type: '2026-01-02T03:04:05.678Z' }

    expect(decode(encode([receipt]))).toEqual([receipt])
  })

  test.each([
    ['bytes', Uint8Array.of(0, 255, 10)],
    ['a Buffer', Buffer.from([0, 255, 10])],
  ])('keeps %s exactly', (_, content) => {
    const decoded = decode(encode({ content })) as { readonly content: Uint8Array }

    expect([...decoded.content]).toEqual([0, 255, 10])
  })

  test('drops what is undefined', () => {
    expect(decode(encode({ objectId: undefined }))).toEqual({})
  })
})
