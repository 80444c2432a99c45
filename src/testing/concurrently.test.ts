import { describe, expect, test } from 'vitest'
import { concurrently, outOfOrder } from './concurrently.ts'

describe('work that is done concurrently', () => {
  test('is started as a whole before any of it is waited for', async () => {
    let started = 0
    let release: () => void = () => {}
    const all = new Promise<void>((resolve) => {
      release = resolve
    })

    const results = await concurrently(20, async (index) => {
      started += 1
      if (started === 20) release()
      await all
      return index
    })

    expect(results).toEqual(Array.from({ length: 20 }, (_, index) => index))
  })

  test('has ended as a whole when one of it fails, also at once', async () => {
    let ended = 0

    const failing = concurrently(3, (index) => {
      if (index === 0) throw new Error('the first one fails')
      return new Promise<void>((resolve) => {
        setImmediate(() => {
          ended += 1
          resolve()
        })
      })
    })

    await expect(failing).rejects.toThrow('the first one fails')
    expect(ended).toBe(2)
    await expect(concurrently(0, () => {})).rejects.toThrow(/whole number above 0/)
  })
})

describe('items out of order', () => {
  test('are never in the order in which they were given, and the same for the same seed', () => {
    const items = [1, 2, 3]
    const orders = Array.from({ length: 200 }, (_, seed) => outOfOrder(items, seed))

    expect(orders.filter((order) => order.join() === '1,2,3')).toEqual([])
    expect(new Set(orders.map((order) => order.toSorted((one, other) => one - other).join()))).toEqual(
      new Set(['1,2,3']),
    )
    expect(new Set(orders.map(String)).size).toBe(5)
    expect(outOfOrder(items, 7)).toEqual(outOfOrder(items, 7))
    expect(() => outOfOrder([1])).toThrow(/at least two/)
  })
})
