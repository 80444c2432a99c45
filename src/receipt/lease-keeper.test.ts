import { describe, expect, test } from 'vitest'
import { createManualClock } from '../../test/support/manual-clock.ts'
import type { Lease } from '../store/store.ts'
import { createLeaseKeeper } from './lease-keeper.ts'

const lease = (receiptId: string): Lease => ({ receiptId, fence: '1' })

function keeperWith(held: (ids: readonly string[]) => readonly string[]) {
  const clock = createManualClock()
  const renewals: string[][] = []
  const errors: unknown[] = []
  const keeper = createLeaseKeeper<Lease>({
    idOf: ({ receiptId }) => receiptId,
    renew: async (leases) => {
      const ids = leases.map(({ receiptId }) => receiptId)
      renewals.push(ids)
      return held(ids)
    },
    leaseSeconds: 30,
    clock,
    onError: (error) => errors.push(error),
  })
  return { keeper, clock, renewals, errors }
}

describe('leases of what is running', () => {
  test('are renewed together, three times within their length', async () => {
    const { keeper, clock, renewals } = keeperWith((ids) => ids)
    keeper.keep(lease('1'), () => {})
    keeper.keep(lease('2'), () => {})

    await clock.advance(30_000)

    expect(renewals).toEqual([
      ['1', '2'],
      ['1', '2'],
      ['1', '2'],
    ])
  })

  test('are no longer renewed when they were let go, and then nothing is asked', async () => {
    const { keeper, clock, renewals } = keeperWith((ids) => ids)
    const letGo = keeper.keep(lease('1'), () => {})
    await clock.advance(10_000)
    letGo()

    await clock.advance(100_000)

    expect(renewals).toEqual([['1']])
  })

  test('that are lost are told once', async () => {
    const { keeper, clock } = keeperWith(() => ['2'])
    const lost: string[] = []
    const letGo = keeper.keep(lease('1'), () => {
      lost.push('1')
      letGo()
    })
    keeper.keep(lease('2'), () => lost.push('2'))

    await clock.advance(30_000)

    expect(lost).toEqual(['1'])
  })

  test('survive a beat that fails', async () => {
    let isAway = true
    const { keeper, clock, errors, renewals } = keeperWith((ids) => {
      if (!isAway) return ids
      isAway = false
      throw new Error('away')
    })
    keeper.keep(lease('1'), () => {})

    await clock.advance(20_000)

    expect([errors.length, renewals.length]).toEqual([1, 2])
  })
})
