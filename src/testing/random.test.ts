import { expect, test } from 'vitest'
import { randomOf } from './random.ts'

const numbers = Array.from({ length: 20 }, (_, index) => index)

test('the same seed and purpose make the same choices, and another of either makes others', () => {
  const choices = (seed: string, purpose: string) => {
    const random = randomOf(seed, purpose)
    return [random.fraction(), random.below(1_000), ...random.shuffled(numbers)]
  }

  expect(choices('a', 'order')).toEqual(choices('a', 'order'))
  expect(choices('a', 'order')).not.toEqual(choices('b', 'order'))
  expect(choices('a', 'order')).not.toEqual(choices('a', 'kills'))
})

test('choices keep within their limits, and shuffling loses nothing', () => {
  const random = randomOf('a', 'limits')

  const values = Array.from({ length: 1_000 }, () => random.below(7))

  expect(new Set(values)).toEqual(new Set([0, 1, 2, 3, 4, 5, 6]))
  expect(random.shuffled(numbers).toSorted((one, other) => one - other)).toEqual(numbers)
})
