import { describe, expect, test } from 'vitest'
import { createAskFirst } from './ask-first.ts'

describe('asking first', () => {
  test('is not worth it while all is new, nor while half of it is, nor for a few copies', () => {
    const { isWorthIt, learn } = createAskFirst()

    for (let group = 0; group < 100; group += 1) learn({ recorded: 40, known: group % 2 === 0 ? 0 : 8 })
    for (let group = 0; group < 100; group += 1) learn({ recorded: 40, known: group % 2 === 0 ? 18 : 22 })
    for (let copy = 0; copy < 10; copy += 1) learn({ recorded: 1, known: 1 })

    expect(isWorthIt()).toBe(false)
  })

  test('is worth it within two hundred copies, however they come', () => {
    const alone = createAskFirst()
    const together = createAskFirst()

    for (let copy = 0; copy < 100; copy += 1) alone.learn({ recorded: 1, known: 1 })
    for (let group = 0; group < 2; group += 1) together.learn({ recorded: 100, known: 100 })

    expect([alone.isWorthIt(), together.isWorthIt()]).toEqual([true, true])
  })

  test('goes on while two of three are known, and ends when that is over', () => {
    const { isWorthIt, learn } = createAskFirst()
    learn({ recorded: 1000, known: 1000 })

    for (let group = 0; group < 100; group += 1) learn({ recorded: 40, known: group % 2 === 0 ? 25 : 29 })
    const whileMost = isWorthIt()
    for (let event = 0; event < 100; event += 1) learn({ recorded: 1, known: 0 })

    expect([whileMost, isWorthIt()]).toEqual([true, false])
  })

  test('learns nothing from nothing', () => {
    const { isWorthIt, learn } = createAskFirst()
    learn({ recorded: 1000, known: 1000 })

    learn({ recorded: 0, known: 0 })

    expect(isWorthIt()).toBe(true)
  })
})
