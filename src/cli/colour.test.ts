import { describe, expect, test } from 'vitest'
import { createPaint } from './colour.ts'

const painted = '\u001b[32mok\u001b[39m'

describe('colours', () => {
  test.each([
    ['on a terminal', true, {}, painted],
    ['nowhere else', false, {}, 'ok'],
    ['not if NO_COLOR is set', true, { NO_COLOR: '1' }, 'ok'],
    ['if NO_COLOR is empty', true, { NO_COLOR: '' }, painted],
    ['anywhere if FORCE_COLOR is set', false, { FORCE_COLOR: '1', NO_COLOR: '1' }, painted],
    ['not if FORCE_COLOR is 0', true, { FORCE_COLOR: '0' }, 'ok'],
    ['not on a terminal that knows none', true, { TERM: 'dumb' }, 'ok'],
  ])('come %s', (_, isTerminal, environment, expected) => {
    const paint = createPaint({ isTerminal, environment })

    expect(paint('green', 'ok')).toBe(expected)
  })
})
