import { describe, expect, test } from 'vitest'
import { createDatabaseTime } from './database-time.ts'

describe('the time of the database', () => {
  test('is as far from ours for every call, whatever later answers would say', async () => {
    const answers = [new Date('2026-01-01T00:00:00Z'), new Date('2026-01-02T00:00:00Z')]
    const time = createDatabaseTime(async () => answers.shift() ?? new Date(Number.NaN))

    await time.refresh()
    const before = time.at(1000)
    await time.refresh()
    const after = time.at(1500)

    expect(after.getTime() - before.getTime()).toBe(500)
    expect(before.toISOString()).toMatch(/^(2025-12-31T23|2026-01-01T00):/)
    expect(answers).toHaveLength(1)
  })

  test('is that of the promptest answer, where one took long', async () => {
    const takes = [80, 10, 5]
    let milliseconds = 0
    const time = createDatabaseTime(
      async () => {
        milliseconds += takes.shift() ?? 0
        return new Date(1_000_000 + milliseconds)
      },
      () => milliseconds,
    )

    await time.refresh()

    // Taken for the middle of the second question, which took 10 ms, although it was the end.
    expect(time.at(90).getTime()).toBe(1_000_095)
    expect(takes).toEqual([5])
  })
})
