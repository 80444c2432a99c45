import { describe, expect, test } from 'vitest'
import { describeError, permanent } from '../errors.ts'
import type { HandlerRun } from '../store/store.ts'
import { nextStep, type StoppedRun } from './next-step.ts'

const run: HandlerRun = {
  attempt: 1,
  handler: 'h',
  worker: 'w',
  outcome: 'failed',
  error: undefined,
  tookMilliseconds: 1,
}
const threw = (error: unknown): StoppedRun => {
  return { kind: 'threw', run: { ...run, error: describeError(error) }, error, notes: [] }
}
const deferred = (seconds: number, reason = 'not yet'): StoppedRun => ({ kind: 'deferred', run, seconds, reason })
const policy = (maxAttempts: number, seconds = 10) => ({
  maxAttempts,
  backoff: (attempts: number) => attempts * seconds,
})
const age = { attempt: 2, ageSeconds: 100, maximumDeferSeconds: 1000 }

describe('the next step of an event whose handlers did not all succeed', () => {
  test('is another attempt after the shortest delay of those that may still succeed', () => {
    const stopped = [
      { result: threw(new Error('a')), policy: policy(5, 10) },
      { result: threw(new Error('b')), policy: policy(5, 3) },
    ]

    expect(nextStep(stopped, age)).toEqual({ kind: 'retrying', seconds: 6, error: 'Error: a' })
  })

  test('is the dead letters when no failed handler has attempts left', () => {
    expect(nextStep([{ result: threw(new Error('last')), policy: policy(2) }], age)).toEqual({
      kind: 'dead',
      error: 'Error: last',
    })
  })

  test('is the dead letters at once when every failure is permanent', () => {
    expect(nextStep([{ result: threw(permanent('never')), policy: policy(9) }], age)).toMatchObject({ kind: 'dead' })
  })

  test('is another attempt as long as one failure is not permanent', () => {
    const stopped = [
      { result: threw(permanent('never')), policy: policy(9) },
      { result: threw(new Error('maybe')), policy: policy(9) },
    ]

    expect(nextStep(stopped, age)).toMatchObject({ kind: 'retrying', error: 'Error: maybe' })
  })

  test('is a deferral when nothing failed, for the shortest time asked', () => {
    const stopped = [
      { result: deferred(60, 'no parent'), policy: policy(1) },
      { result: deferred(30, 'no customer'), policy: policy(1) },
    ]

    expect(nextStep(stopped, age)).toEqual({ kind: 'deferred', seconds: 30, error: 'no parent; no customer' })
  })

  test('is the dead letters when a deferral would make the event too old', () => {
    expect(nextStep([{ result: deferred(901), policy: policy(1) }], age)).toMatchObject({
      kind: 'dead',
      error: expect.stringContaining('not yet'),
    })
  })
})
