import { describe, expect } from 'vitest'
import { post, test } from '../support/guarantees.ts'

describe.each(['inline', 'queued'] as const)('200 copies of one event at once over four processes, %s', (mode) => {
  test('leave one receipt and one effect, and every copy is answered 2xx', async ({ guarantees }) => {
    const { app, signed, effects, receipts, settled, queueLength } = guarantees
    const apps = await Promise.all([1, 2, 3, 4].map(() => app({ mode })))
    const delivery = signed('evt_two_hundred')

    const statuses = await Promise.all(
      Array.from({ length: 200 }, (_, index) => post(apps[index % 4]?.url ?? '', delivery)),
    )
    await settled()

    expect(statuses.filter((status) => status === 200 || status === 202)).toHaveLength(200)
    expect(await receipts()).toEqual([{ event_id: 'evt_two_hundred', status: 'processed', attempts: 1 }])
    expect(await effects()).toBe(1)
    expect(await queueLength()).toBe(0)
  })

  test('do not hide other events: 50 distinct ones among them take effect once each', async ({ guarantees }) => {
    const { app, signed, effects, receipts, settled } = guarantees
    const apps = await Promise.all([1, 2, 3, 4].map(() => app({ mode })))
    const deliveries = Array.from({ length: 50 }, (_, index) => signed(`evt_${index}`))

    const statuses = await Promise.all(deliveries.flatMap((delivery) => apps.map(({ url }) => post(url, delivery))))
    await settled()

    expect(statuses.every((status) => status === 200 || status === 202)).toBe(true)
    expect(await receipts()).toHaveLength(50)
    for (let index = 0; index < 50; index += 1) expect(await effects(`evt_${index}`)).toBe(1)
  })
})
