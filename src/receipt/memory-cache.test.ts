import { describe, expect, test } from 'vitest'
import { systemClock } from '../clock.ts'
import { memoryCache } from './memory-cache.ts'

const key = (eventId: string, ledger = 'one') => ({ ledger, environment: 'default', source: 'stripe', eventId })
const receipt = (receiptId: string) => ({ receiptId, bodyHash: Uint8Array.of(1, 2, 3) })

describe('a memory of receipts', () => {
  test('knows what it was told, and nothing else', async () => {
    const cache = memoryCache()
    cache.remember(key('evt_1'), receipt('7'))

    expect(await cache.recall(key('evt_1'))).toEqual({ receiptId: '7', bodyHash: Uint8Array.of(1, 2, 3) })
    expect(await cache.recall(key('evt_2'))).toBeUndefined()
  })

  test('knows nothing of another ledger', async () => {
    const cache = memoryCache()
    cache.remember(key('evt_1', 'before the restore'), receipt('7'))

    expect(await cache.recall(key('evt_1', 'after the restore'))).toBeUndefined()
  })

  test('keeps the parts of a key apart', async () => {
    const cache = memoryCache()
    cache.remember({ ledger: 'l', environment: 'a', source: 'bc', eventId: 'd' }, receipt('7'))

    expect(await cache.recall({ ledger: 'l', environment: 'ab', source: 'c', eventId: 'd' })).toBeUndefined()
    expect(await cache.recall({ ledger: 'l', environment: 'a', source: 'b', eventId: 'cd' })).toBeUndefined()
  })

  test('forgets when the time is over', async () => {
    let now = 0
    const cache = memoryCache({ rememberSeconds: 60, clock: { ...systemClock, now: () => new Date(now) } })
    cache.remember(key('evt_1'), receipt('7'))

    now = 59_999
    const before = await cache.recall(key('evt_1'))
    now = 60_000

    expect(before?.receiptId).toBe('7')
    expect(await cache.recall(key('evt_1'))).toBeUndefined()
  })

  test('holds no more than it may, and the newest for sure', () => {
    const cache = memoryCache({ mostReceipts: 100 })
    for (let number = 0; number < 1000; number += 1) cache.remember(key(`evt_${number}`), receipt(String(number)))

    const known = Array.from({ length: 1000 }, (_, number) => cache.recall(key(`evt_${number}`)))

    expect(known.filter((one) => one !== undefined).length).toBeLessThanOrEqual(100)
    expect(known.slice(-50).every((one) => one !== undefined)).toBe(true)
  })

  test('is not made with numbers that mean nothing', () => {
    expect(() => memoryCache({ rememberSeconds: Number.NaN })).toThrow('rememberSeconds is NaN')
    expect(() => memoryCache({ mostReceipts: 0.5 })).toThrow('mostReceipts is 0.5')
  })
})
