import { describe, expect, test } from 'vitest'
import type { Door } from '../delivery/door.ts'
import type { Outcome } from '../delivery/outcome.ts'
import { workAfterwards } from './work-afterwards.ts'

const accepted: Outcome = { kind: 'accepted', receiptId: '1', eventId: 'evt_1' }
const delivery = { method: 'POST', url: 'https://example.com/', headers: new Map(), body: new Uint8Array() }

function doorWith(drain: () => Promise<unknown>, outcome: Outcome = accepted) {
  const errors: unknown[] = []
  const door: Door = {
    settingsOf: () => undefined,
    receive: async () => outcome,
    answer: () => ({ status: 202 }),
    onError: (error) => void errors.push(error),
    afterwards: { drain, isWorkLeft: ({ kind }) => kind === 'accepted' },
  }
  return { door, errors }
}

describe('a door with waitUntil', () => {
  test('works off what was queued, and nothing for what was not', async () => {
    const given: Promise<unknown>[] = []
    let drains = 0
    const drain = async (): Promise<void> => void (drains += 1)
    const duplicate: Outcome = { kind: 'duplicate', receiptId: '1', eventId: 'evt_1', isMutated: false }
    const waitUntil = (work: Promise<unknown>): unknown => given.push(work)

    await workAfterwards(doorWith(drain).door, { waitUntil }).receive('acme', delivery)
    await workAfterwards(doorWith(drain, duplicate).door, { waitUntil }).receive('acme', delivery)
    await Promise.all(given)

    expect([drains, given.length]).toEqual([1, 1])
  })

  test('works off a burst in one go, and looks once more for what came meanwhile', async () => {
    const given: Promise<unknown>[] = []
    const releases: (() => void)[] = []
    const { door } = doorWith(() => new Promise<void>((resolve) => releases.push(resolve)))
    const waitUntil = (work: Promise<unknown>): unknown => given.push(work)
    const handlers = [workAfterwards(door, { waitUntil }), workAfterwards(door, { waitUntil })]

    for (let round = 0; round < 10; round += 1) {
      for (const { receive } of handlers) await receive('acme', delivery)
    }
    releases[0]?.()
    await new Promise(setImmediate)
    releases[1]?.()
    await Promise.all(given)

    expect([given.length, releases.length]).toEqual([20, 2])
  })

  test('answers, and tells the developer, when the work or the platform fails', async () => {
    const given: Promise<unknown>[] = []
    const { door, errors } = doorWith(() => Promise.reject(new Error('away')))
    const failing = doorWith(async () => {})

    const outcome = await workAfterwards(door, { waitUntil: (work) => given.push(work) }).receive('acme', delivery)
    await Promise.all(given)
    const waitUntil = (): never => {
      throw new Error('outside of a request')
    }
    const second = await workAfterwards(failing.door, { waitUntil }).receive('acme', delivery)

    expect([outcome, second]).toEqual([accepted, accepted])
    expect([errors, failing.errors]).toMatchObject([[{ message: 'away' }], [{ message: 'outside of a request' }]])
  })

  test('is refused where nothing can be worked off, and for a time that is none', () => {
    const { afterwards: _, ...without } = doorWith(async () => {}).door
    const waitUntil = (): void => {}

    expect(() => workAfterwards(without, { waitUntil })).toThrow('waitUntil needs an inbox')
    expect(() => workAfterwards(doorWith(async () => {}).door, { waitUntil, workSeconds: 0 })).toThrow(
      'workSeconds is 0',
    )
    expect(workAfterwards(without, {})).toBe(without)
  })
})
