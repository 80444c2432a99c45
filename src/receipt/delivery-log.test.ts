import { describe, expect, test } from 'vitest'
import { createManualClock } from '../../test/support/manual-clock.ts'
import { createDeliveryLog } from './delivery-log.ts'
import type { NotedDelivery } from './receipt.ts'

function noted(kind: NotedDelivery['kind'], eventId: string): NotedDelivery {
  return {
    environment: 'e',
    source: 's',
    eventId,
    deliveryId: undefined,
    kind,
    at: new Date(0),
    status: 200,
    latencyMilliseconds: 1,
    detail: undefined,
    secretIndex: 0,
  }
}

function logWith(limits: { readonly maximumEntries?: number; readonly maximumDuplicates?: number }) {
  const clock = createManualClock()
  const writes: (readonly NotedDelivery[])[] = []
  const log = createDeliveryLog({
    write: async (deliveries) => void writes.push(deliveries),
    clock,
    onError: () => {},
    ...limits,
  })
  return { log, clock, ids: () => writes.map((batch) => batch.map(({ eventId }) => eventId)) }
}

describe('the delivery log', () => {
  test('writes what it gathered together, and begins anew', async () => {
    const { log, clock, ids } = logWith({})

    log.note(noted('duplicate', 'a'))
    log.note(noted('forged', 'b'))
    await clock.advance(500)
    log.note(noted('duplicate', 'c'))
    await log.flush()

    expect(ids()).toEqual([['a', 'b'], ['c']])
  })

  test('takes only so many plain duplicates between two writes, and everything that is odd', async () => {
    const { log, ids } = logWith({ maximumDuplicates: 2 })

    for (const id of ['a', 'b', 'c']) log.note(noted('duplicate', id))
    log.note(noted('mutated', 'd'))
    log.note(noted('replayed_body', 'e'))
    await log.flush()
    log.note(noted('duplicate', 'f'))
    await log.flush()

    expect(ids()).toEqual([['a', 'b', 'd', 'e'], ['f']])
  })

  test('says beforehand what it has room for', async () => {
    const { log } = logWith({ maximumEntries: 2, maximumDuplicates: 1 })
    const room = () => [log.hasRoomFor('duplicate'), log.hasRoomFor('mutated')]

    expect(room()).toEqual([true, true])
    log.note(noted('duplicate', 'a'))
    expect(room()).toEqual([false, true])
    log.note(noted('mutated', 'b'))
    expect(room()).toEqual([false, false])
    await log.flush()
    expect(room()).toEqual([true, true])
  })

  test('is bounded, whatever comes', async () => {
    const { log, ids } = logWith({ maximumEntries: 2 })

    for (const id of ['a', 'b', 'c']) log.note(noted('forged', id))
    await log.flush()

    expect(ids()).toEqual([['a', 'b']])
  })
})
