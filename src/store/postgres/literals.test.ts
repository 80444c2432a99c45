import { expect, test } from 'vitest'
import { literal } from './literals.ts'

test.for([
  [null, 'null'],
  [true, 'true'],
  [1.5, '1.5'],
  [Number.NaN, "'NaN'"],
  ['plain', "E'plain'"],
  ["it's; drop", "E'it''s; drop'"],
  ['\\', "E'\\\\'"],
  ["\\'; commit --", "E'\\\\''; commit --'"],
  ['no\u0000thing', "E'nothing'"],
  [['a', null, "b'"], "array[E'a',null,E'b''']"],
] as const)('%j is written as %s', ([value, written]) => {
  expect(literal(value)).toBe(written)
})
