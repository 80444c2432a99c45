import { describe, expect, test } from 'vitest'
import type { ShadowCall } from '../store/shadow-store.ts'
import { judgeCalls } from './judge-calls.ts'

const now = new Date('2026-01-20T12:00:00Z')
const ago = (seconds: number): Date => new Date(now.getTime() - seconds * 1000)
const facts = { now, retryHours: 1, deadlineSeconds: 10 }

/** A call that began and ended so many seconds ago. */
function call(began: number, ended: number | undefined, status = 200): ShadowCall {
  const isOver = ended !== undefined
  return {
    startedAt: ago(began),
    endedAt: isOver ? ago(ended) : undefined,
    ending: isOver ? 'answered' : undefined,
    status: isOver ? status : undefined,
    worker: 'web-1',
  }
}

function judge(...calls: readonly ShadowCall[]): ReturnType<typeof judgeCalls> {
  return judgeCalls({ calls }, facts)
}

describe('calls of a handler', () => {
  test('are nothing to speak of where one run was enough', () => {
    expect(judge(call(60, 59))).toEqual({ again: 'not', end: 'at_first', late: 0, slowestSeconds: 1, unended: 0 })
  })

  test('that failed first were saved by another delivery', () => {
    expect(judge(call(60, 59, 500), call(30, 29))).toMatchObject({ again: 'not', end: 'later' })
    expect(judge(call(3000, undefined), call(30, 29))).toMatchObject({ again: 'not', end: 'later', unended: 1 })
  })

  test('are one too many after a success', () => {
    expect(judge(call(60, 59), call(30, 29)).again).toBe('after_success')
    expect(judge(call(60, 59), call(30, 29, 500))).toMatchObject({ again: 'after_success', end: 'at_first' })
    expect(judge(call(60, 30), call(30, 29)).again).toBe('after_success')
  })

  test('run into each other if one begins before another has ended', () => {
    expect(judge(call(60, 20, 500), call(30, 29)).again).toBe('at_once')
    expect(judge(call(60, undefined), call(30, 29)).again).toBe('at_once')
    expect(judge(call(60, 20), call(50, 49, 500), call(15, 14)).again).toBe('at_once')
  })

  test('that were turned away at once did not run', () => {
    for (const status of [409, 425, 429, 503]) {
      expect(judge(call(60, 20), call(50, 49, status))).toMatchObject({ again: 'not', end: 'at_first' })
    }
  })

  test('leave an event open until the provider sends it no more', () => {
    expect(judge(call(3000, 2999, 500)).end).toBe('open')
    expect(judge(call(3700, 3699, 500)).end).toBe('given_up')
    expect(judge(call(9000, 8999, 500), call(60, undefined)).end).toBe('running')
  })

  test('have not ended if nothing is heard of them, and others do not run into those', () => {
    expect(judge(call(1000, undefined))).toMatchObject({ unended: 1, end: 'open' })
    expect(judge(call(5000, undefined))).toMatchObject({ unended: 1, end: 'given_up' })
  })

  test('are late beyond what the provider waits', () => {
    expect(judge(call(60, 49), call(20, 11))).toMatchObject({ late: 1, slowestSeconds: 11 })
    expect(judge({ ...call(60, 58), ending: 'disconnected', status: undefined })).toMatchObject({
      late: 1,
      end: 'open',
    })
  })
})
