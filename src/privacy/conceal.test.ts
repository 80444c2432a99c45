import { expect, test } from 'vitest'
import { conceal } from './conceal.ts'

const original =
  '{"card":"4242424242424242","email":"ada@example.com","plan":"gold","n":12345678901234567890,"x":{"y":"gold-12"}}'
const stored = '{"card":"[redacted]","email":"[redacted]","plan":"gold","n":"[redacted]","x":{"y":"[redacted]"}}'

test.each([
  ['Error: no card 4242424242424242', 'Error: no card [redacted]'],
  ['Error: ada@example.com has no plan gold', 'Error: [redacted] has no plan gold'],
  [
    'error: invalid input syntax for type integer: "12345678901234567890"',
    'error: invalid input syntax for type integer: "[redacted]"',
  ],
  ['Error: gold-12', 'Error: [redacted]'],
  ['Error: nothing of it', 'Error: nothing of it'],
])('%s is kept as %s', (text, expected) => {
  expect(concealed(text, original, stored)).toBe(expected)
})

test('values of forms, and of JSON in them, are concealed too', () => {
  const form = `to=%2B491701234567&payload=${encodeURIComponent('{"mail":"ada@example.com"}')}`

  expect(concealed('Error: +491701234567 and ada@example.com', form, 'to=x')).toBe('Error: [redacted] and [redacted]')
})

test('of a body that nobody can read only the name of the error is left', () => {
  expect(concealed('TypeError: <card>4242</card>', '<card>4242</card>', '')).toBe('TypeError: [redacted]')
})

function concealed(text: string, before: string, after: string): string {
  return conceal(text, Buffer.from(before), { content: Buffer.from(after), headers: [] })
}
