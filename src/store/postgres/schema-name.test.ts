import { expect, test } from 'vitest'
import { lockNumber } from './schema-name.ts'

test('the number of a lock is the same in every version, because old and new processes run side by side', () => {
  expect(lockNumber(['oncehook migration', '"oncehook"'])).toBe('42609826053510584')
  expect(lockNumber(['oncehook event', '"oncehook"', 'production', 'stripe', 'evt_1'])).toBe('8247809095134294004')
})
