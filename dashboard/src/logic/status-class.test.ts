import { expect, test } from 'vitest'
import { classOfHttp, classOfStatus } from './status-class.ts'

test('a status has a colour, and one that is not known is neither good nor bad', () => {
  expect(['processed', 'received', 'retrying', 'failed', 'ignored', 'constructor'].map(classOfStatus)).toEqual([
    'good',
    'busy',
    'warn',
    'bad',
    'quiet',
    'quiet',
  ])
  expect([200, 302, 401, 503, 0, 100].map(classOfHttp)).toEqual(['good', 'busy', 'warn', 'bad', 'bad', 'quiet'])
})
