import { describe, expect, test } from 'vitest'
import type { SourceWatch } from '../store/recovery-store.ts'
import { findOutage, watched } from './find-outage.ts'

const now = new Date('2026-01-20T12:00:00Z')
const ago = (seconds: number): Date => new Date(now.getTime() - seconds * 1000)

/** Looked after a minute ago, with a webhook since. */
function watch(parts: Partial<SourceWatch> = {}): SourceWatch {
  return {
    source: 'stripe',
    now,
    lookedAt: ago(60),
    heardAt: ago(30),
    heardBefore: ago(90),
    pauseSeconds: 200,
    seenTo: '1',
    ...parts,
  }
}

describe('an outage', () => {
  test('is none while somebody looks and the source talks', () => {
    expect(findOutage(watch(), 300)).toBeUndefined()
  })

  test('is none at the first look, whatever was before', () => {
    expect(
      findOutage(watch({ lookedAt: undefined, heardBefore: undefined, heardAt: ago(90_000) }), 300),
    ).toBeUndefined()
  })

  test('is a time in which nobody looked, with ten minutes before it', () => {
    const outage = findOutage(watch({ lookedAt: ago(300) }), 300)

    expect(outage).toEqual({ source: 'stripe', from: ago(900), to: ago(60), reason: 'away' })
  })

  test('is a silence of twice the longest usual one', () => {
    expect(findOutage(watch({ heardAt: ago(399), heardBefore: ago(399) }), 300)).toBeUndefined()
    expect(findOutage(watch({ heardAt: ago(400), heardBefore: ago(400) }), 300)).toMatchObject({
      reason: 'silent',
      from: ago(1000),
    })
  })

  test('is the whole silence once the source is heard again', () => {
    const outage = findOutage(watch({ heardBefore: ago(1000), heardAt: ago(10) }), 300)

    expect(outage).toMatchObject({ reason: 'heard_again', from: ago(1600), to: ago(60) })
  })
})

describe('a silence that was asked about', () => {
  test('is usual from then on, so that the next question comes after twice as long', () => {
    const silent = watch({ heardAt: ago(400), heardBefore: ago(400) })

    const { pauseSeconds } = watched(silent, 300)

    expect(pauseSeconds).toBe(400)
    expect(findOutage({ ...silent, pauseSeconds, heardAt: ago(799), heardBefore: ago(799) }, 300)).toBeUndefined()
    expect(findOutage({ ...silent, pauseSeconds, heardAt: ago(800), heardBefore: ago(800) }, 300)).toBeDefined()
  })

  test('is never so long that a day passes without a question', () => {
    const { pauseSeconds } = watched(watch({ heardAt: ago(500_000), heardBefore: ago(500_000) }), 300)

    expect(findOutage(watch({ pauseSeconds, heardAt: ago(86_400), heardBefore: ago(86_400) }), 300)).toBeDefined()
  })

  test('is learnt from pauses that end by themselves', () => {
    expect(watched(watch({ heardBefore: ago(280), heardAt: ago(10) }), 300).pauseSeconds).toBe(270)
    expect(watched(watch(), 300).pauseSeconds).toBe(200)
  })
})
