import { describe, expect, test } from 'vitest'
import { systemClock } from '../clock.ts'
import { createStormMemory, type StormMemory } from './storm-memory.ts'

function learnMany({ learn }: StormMemory, count: number, isDuplicate: (index: number) => boolean): void {
  for (let index = 0; index < count; index += 1) learn(isDuplicate(index))
}

describe('the memory for storms of duplicates', () => {
  test('is not there while most of what comes is new', () => {
    const storm = createStormMemory({ clock: systemClock })

    learnMany(storm, 10_000, (index) => index % 5 === 0)

    expect(storm.cache).toBeUndefined()
  })

  test('is not made for the retries of one event', () => {
    const storm = createStormMemory({ clock: systemClock })

    learnMany(storm, 20, () => true)

    expect(storm.cache).toBeUndefined()
  })

  test('is there as soon as many are duplicates, and gone with all it held when the storm is over', () => {
    const storm = createStormMemory({ clock: systemClock })
    const key = { ledger: 'one', environment: 'default', source: 'stripe', eventId: 'evt_1' }

    learnMany(storm, 100, () => true)
    storm.cache?.remember(key, { receiptId: '7', bodyHash: Uint8Array.of(1) })
    const during = storm.cache?.recall(key)
    learnMany(storm, 500, () => false)
    const after = storm.cache
    learnMany(storm, 100, () => true)

    expect(during).toMatchObject({ receiptId: '7' })
    expect(after).toBeUndefined()
    expect(storm.cache).toBeDefined()
    expect(storm.cache?.recall(key)).toBeUndefined()
  })

  test('stays while the share moves a little', () => {
    const storm = createStormMemory({ clock: systemClock })
    learnMany(storm, 100, () => true)
    const { cache } = storm

    learnMany(storm, 1000, (index) => index % 3 === 0)

    expect(storm.cache).toBe(cache)
  })

  test('holds nothing for longer than a minute', () => {
    let now = 0
    const storm = createStormMemory({ clock: { ...systemClock, now: () => new Date(now) } })
    const key = { ledger: 'one', environment: 'default', source: 'stripe', eventId: 'evt_1' }
    learnMany(storm, 100, () => true)
    storm.cache?.remember(key, { receiptId: '7', bodyHash: Uint8Array.of(1) })

    now = 60_000

    expect(storm.cache?.recall(key)).toBeUndefined()
  })
})
