import { describe, expect, test } from 'vitest'
import { readKeys } from './keys.ts'

describe('keys', () => {
  test.each([
    ['\u001b[A\u001bOB', ['up', 'down']],
    ['\u001b[5~\u001b[6~\u001b[H\u001b[4~', ['pageUp', 'pageDown', 'first', 'last']],
    ['\r\u007f\u0015\u0003', ['enter', 'backspace', 'clear', 'interrupt']],
    ['\u001b', ['escape']],
  ] as const)('in %j are %j', (input, kinds) => {
    expect(readKeys(input).map(({ kind }) => kind)).toEqual(kinds)
  })

  test('that mean nothing here are left out, whole', () => {
    expect(readKeys('\u001b[1;5C\u001b[<0;3;4M\u0007\u0000')).toEqual([])
  })

  test('are characters otherwise, those outside the basic plane too', () => {
    expect(readKeys('jé😀')).toEqual(['j', 'é', '😀'].map((text) => ({ kind: 'text', text })))
  })
})
