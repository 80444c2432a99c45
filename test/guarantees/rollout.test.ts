import { describe, expect } from 'vitest'
import { post, test } from '../support/guarantees.ts'
import { until } from '../support/until.ts'

describe('two versions of the code on one database', () => {
  test('neither lose nor double anything while the older one knows fewer handlers', async ({ guarantees }) => {
    const { app, signed, effects, receipts, queueLength } = guarantees
    const older = await app({ types: 'invoice.paid' })
    const newer = await app({ types: ['invoice.paid', 'invoice.voided'] })
    const deliveries = Array.from({ length: 20 }, (_, index) =>
      signed(`evt_${index}`, index % 2 === 0 ? 'invoice.paid' : 'invoice.voided'),
    )

    const statuses = await Promise.all(deliveries.map((delivery) => post(newer.url, delivery)))
    await until(queueLength, (length) => length === 0)

    expect(statuses.every((status) => status === 202)).toBe(true)
    expect(older.child.exitCode).toBeNull()
    expect((await receipts()).every(({ status }) => status === 'processed')).toBe(true)
    for (let index = 0; index < 20; index += 1) expect(await effects(`evt_${index}`)).toBe(1)
  })
})
