import { describe, expect, test } from 'vitest'
import { createForesight } from './foresight.ts'

describe('how many events a worker claims ahead', () => {
  test('is none before anything is known, and none of slow ones', () => {
    const { note, room } = createForesight(4)
    expect(room()).toBe(4)

    note(5000, 1)

    expect(room()).toBe(4)
  })

  test('is what will have begun within a tenth of a second', () => {
    const { note, room } = createForesight(4)

    note(10, 1)

    expect(room()).toBe(4 + 40)
  })

  test('counts a group by its events, and is bounded', () => {
    const { note, room } = createForesight(4)

    note(5, 50)

    expect(room()).toBe(400)
  })

  test('shrinks at once when one is slow', () => {
    const { note, room } = createForesight(4)
    for (let event = 0; event < 100; event += 1) note(1, 1)
    expect(room()).toBe(400)

    note(2000, 1)

    expect(room()).toBe(4)
  })

  test('grows again as fast ones follow', () => {
    const { note, room } = createForesight(4)
    note(2000, 1)

    for (let event = 0; event < 100; event += 1) note(1, 1)

    expect(room()).toBeGreaterThan(100)
  })
})
