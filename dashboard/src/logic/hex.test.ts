import { expect, test } from 'vitest'
import { bytesOfBase64, hexLines } from './hex.ts'

test('bytes are shown sixteen to a line, with what can be read', () => {
  const bytes = new Uint8Array([...new TextEncoder().encode('{"id":"evt_1é"}'), 0, 255])

  expect(hexLines(bytes)).toEqual([
    { offset: '00000000', hex: '7b 22 69 64 22 3a 22 65 76 74 5f 31 c3 a9 22 7d', text: '{"id":"evt_1··"}' },
    { offset: '00000010', hex: '00 ff', text: '··' },
  ])
  expect(hexLines(new Uint8Array())).toEqual([])
})

test('what is no base64 is no bytes', () => {
  expect([...bytesOfBase64('AP8=')]).toEqual([0, 255])
  expect([...bytesOfBase64('%')]).toEqual([])
})
