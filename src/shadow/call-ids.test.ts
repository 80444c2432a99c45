import { describe, expect, test } from 'vitest'
import { createCallIds } from './call-ids.ts'

describe('the ids of calls', () => {
  test('are in the order of the calls, within a millisecond and when the clock goes back', () => {
    const callId = createCallIds()
    const times = [...Array.from({ length: 10_000 }, () => 1_000_000), 999_000, 1_000_500, 1_000_400]

    const ids = times.map((time) => callId(new Date(time)))

    expect(ids).toEqual(ids.toSorted())
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('are UUIDs of version 7 with the time of the call', () => {
    const at = new Date('2026-01-02T03:04:05.678Z')

    const id = createCallIds()(at)

    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toBe(at.getTime())
  })
})
