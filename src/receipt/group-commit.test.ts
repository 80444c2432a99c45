import { describe, expect, test } from 'vitest'
import { createManualClock, settle } from '../../test/support/manual-clock.ts'
import { OncehookError } from '../errors.ts'
import { createGroupCommit } from './group-commit.ts'
import type { NewReceipt, OnKnown, Recorded } from './receipt.ts'

function receipt(eventId: string, bytes = 10): NewReceipt {
  const body = { id: eventId, content: new Uint8Array(bytes), hash: new Uint8Array(32), headers: [] }
  const event = { id: eventId, type: 'a' }
  return {
    environment: 'e',
    source: 's',
    eventId,
    event,
    body,
    secretIndex: 0,
    disposition: 'queued',
    orderKey: undefined,
  }
}

/** A write that the test answers when it likes. */
function heldWrites() {
  const writes: {
    readonly ids: readonly string[]
    readonly finish: () => void
    readonly fail: (error: unknown) => void
  }[] = []
  const write = (receipts: readonly NewReceipt[]): Promise<readonly Recorded[]> =>
    new Promise((resolve, reject) => {
      const ids = receipts.map(({ eventId }) => eventId)
      writes.push({ ids, finish: () => resolve(ids.map((id) => ({ kind: 'first', receiptId: id }))), fail: reject })
    })
  return { write, writes }
}

describe('deliveries that come in one turn of the event loop', () => {
  test('are written by one flight', async () => {
    const { write, writes } = heldWrites()
    const { record } = createGroupCommit({ write, clock: createManualClock() })

    void record(receipt('a'))
    void record(receipt('b'))
    await settle()

    expect(writes.map(({ ids }) => ids)).toEqual([['a', 'b']])
  })
})

describe('deliveries that come while a write is under way', () => {
  test('are written together by the next one, and each gets its own answer', async () => {
    const { write, writes } = heldWrites()
    const { record } = createGroupCommit({ write, clock: createManualClock() })

    const first = record(receipt('a'))
    await settle()
    const answers = [first, ...['b', 'c', 'd'].map((id) => record(receipt(id)))]
    expect(writes.map(({ ids }) => ids)).toEqual([['a']])
    writes[0]?.finish()
    await settle()
    writes[1]?.finish()

    expect(writes.map(({ ids }) => ids)).toEqual([['a'], ['b', 'c', 'd']])
    expect(await Promise.all(answers)).toEqual(['a', 'b', 'c', 'd'].map((receiptId) => ({ kind: 'first', receiptId })))
  })

  test('are divided evenly between two flights, once they are many', async () => {
    const { write, writes } = heldWrites()
    const { record } = createGroupCommit({ write, clock: createManualClock() })
    void record(receipt('alone'))
    await settle()
    for (let number = 0; number < 63; number += 1) void record(receipt(`many ${number}`))
    writes[0]?.finish()
    await settle()
    void record(receipt('alone again'))
    writes[1]?.finish()
    await settle()

    expect(writes.map(({ ids }) => ids.length)).toEqual([1, 32, 32])
  })

  test('are on their way before those of the last flight are answered', async () => {
    const { write, writes } = heldWrites()
    // As with a real database, some promises lie between the call and the message.
    const writeSoon = async (receipts: readonly NewReceipt[]): Promise<readonly Recorded[]> => {
      for (let step = 0; step < 10; step += 1) await Promise.resolve()
      return write(receipts)
    }
    const { record } = createGroupCommit({ write: writeSoon, clock: createManualClock() })
    const writesWhenAnswered = record(receipt('a')).then(() => writes.length)
    await settle()
    void record(receipt('b'))
    writes[0]?.finish()

    expect(await writesWhenAnswered).toBe(2)
  })

  test('are divided by rows and by bytes', async () => {
    const { write, writes } = heldWrites()
    const { record } = createGroupCommit({ write, clock: createManualClock(), maximumRows: 2, maximumBytes: 100_000 })
    void record(receipt('a'))
    await settle()
    for (const id of ['b', 'c', 'd']) void record(receipt(id))
    void record(receipt('large', 98_000))
    void record(receipt('larger', 200_000))

    for (let number = 0; number < 5; number += 1) {
      writes[number]?.finish()
      await settle()
    }

    expect(writes.map(({ ids }) => ids)).toEqual([['a'], ['b', 'c'], ['d', 'large'], ['larger']])
  })

  test('are tried alone when the group fails, so that one bad row never fails its neighbours', async () => {
    const write = (receipts: readonly NewReceipt[]): Promise<readonly Recorded[]> =>
      receipts.some(({ eventId }) => eventId === 'bad')
        ? Promise.reject(new Error('cannot be stored'))
        : Promise.resolve(receipts.map(({ eventId }) => ({ kind: 'first', receiptId: eventId })))
    const { record } = createGroupCommit({ write, clock: createManualClock() })

    const answers = await Promise.allSettled(['first', 'good', 'bad', 'fine'].map((id) => record(receipt(id))))

    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  })

  test('are answered as soon as they are known, whatever becomes of the others', async () => {
    const tries: string[][] = []
    const write = (receipts: readonly NewReceipt[], onKnown: OnKnown): Promise<readonly Recorded[]> => {
      tries.push(receipts.map(({ eventId }) => eventId))
      if (receipts.length > 1) onKnown(1, duplicate)
      return Promise.reject(new Error('cannot be stored'))
    }
    const duplicate: Recorded = { kind: 'duplicate', receiptId: '1', status: 'processed', isMutated: false }
    const { record } = createGroupCommit({ write, clock: createManualClock() })

    const answers = await Promise.allSettled(['new', 'known'].map((id) => record(receipt(id))))

    expect(answers).toMatchObject([{ status: 'rejected' }, { status: 'fulfilled', value: duplicate }])
    expect(tries).toEqual([['new', 'known'], ['new']])
  })

  test('fail together in an outage, without one try after another', async () => {
    let writes = 0
    const write = (): Promise<never> => {
      writes += 1
      return Promise.reject(new OncehookError('ONCEHOOK_STORE_UNAVAILABLE', 'away'))
    }
    const { record } = createGroupCommit({ write, clock: createManualClock() })

    const answers = await Promise.allSettled(['a', 'b', 'c', 'd'].map((id) => record(receipt(id))))

    expect(answers.every(({ status }) => status === 'rejected')).toBe(true)
    expect(writes).toBe(1)
  })
})

describe('a store that is slower than the deliveries', () => {
  test('makes them wait only so long', async () => {
    const clock = createManualClock()
    const { record } = createGroupCommit({ write: heldWrites().write, clock, maximumWaitSeconds: 5 })
    const answer = record(receipt('a')).catch((error: unknown) => error)

    await clock.advance(5000)

    expect(await answer).toMatchObject({ code: 'ONCEHOOK_STORE_UNAVAILABLE' })
  })

  test('makes them turn away when too many bytes wait', async () => {
    const { record } = createGroupCommit({
      write: heldWrites().write,
      clock: createManualClock(),
      maximumWaitingBytes: 3000,
    })
    void record(receipt('under way'))
    await settle()
    void record(receipt('waiting', 2000))

    await expect(record(receipt('too many', 2000))).rejects.toMatchObject({ code: 'ONCEHOOK_STORE_UNAVAILABLE' })
  })
})
