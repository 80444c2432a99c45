import { describe, expect, test } from 'vitest'
import { describeError, isPermanent, permanent } from './errors.ts'

describe('the text of what was thrown', () => {
  test('has the name and the message, and is short enough to store', () => {
    expect(describeError(new TypeError('no such thing'))).toBe('TypeError: no such thing')
    expect(describeError('just text')).toBe('Thrown value: just text')
    expect(describeError(new Error('x'.repeat(5000)))).toHaveLength(2000)
    expect(describeError(new Error('a\u0000b\ud800'))).toBe('Error: a\ufffdb\ufffd')
  })

  test('leaves out the parameters that a query builder puts into its message', () => {
    const error = Object.assign(
      new Error('Failed query: insert … params: 4242 4242', { cause: new Error('relation is missing') }),
      {
        params: ['4242 4242'],
      },
    )

    expect(describeError(error)).toBe('Error: relation is missing')
  })
})

describe('a permanent error', () => {
  test('is the error itself, marked', () => {
    const error = new Error('no')

    expect(permanent(error)).toBe(error)
    expect([isPermanent(error), isPermanent(new Error('no')), isPermanent(permanent('text'))]).toEqual([
      true,
      false,
      true,
    ])
  })
})
