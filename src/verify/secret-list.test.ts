import { createSecretKey } from 'node:crypto'
import { expect, test } from 'vitest'
import { secretListOf } from './secret-list.ts'

function markOf(...secrets: readonly string[]): Promise<string> {
  return secretListOf(
    'shop',
    secrets.map((secret) => createSecretKey(Buffer.from(secret))),
  ).mark()
}

test('the mark of one secret says nothing of it', async () => {
  expect(await markOf('a')).toBe('1')
  expect(await markOf('b')).toBe('1')
})

test('the mark of several is short, the same for the same list, and another for another', async () => {
  const marks = await Promise.all([
    markOf('old', 'new'),
    markOf('new', 'old'),
    markOf('oldn', 'ew'),
    markOf('old', 'newer'),
  ])

  expect(await markOf('old', 'new')).toBe(marks[0])
  expect(new Set(marks).size).toBe(4)
  for (const mark of marks) expect(mark).toMatch(/^2-[\da-f]{4}$/)
})
