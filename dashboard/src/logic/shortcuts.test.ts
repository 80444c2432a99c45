import { describe, expect, test } from 'vitest'
import { acts, type KeyPress, places, shortcutOf } from './shortcuts.ts'

const press: KeyPress = { key: 'j', isModified: false, isTyping: false, isOnControl: false, isAfterG: false }

describe('a key', () => {
  test('acts on the list, or goes somewhere after g', () => {
    expect(shortcutOf(press)).toEqual({ kind: 'act', name: 'next' })
    expect(shortcutOf({ ...press, key: 'g' })).toEqual({ kind: 'begun' })
    expect(shortcutOf({ ...press, key: 'd', isAfterG: true })).toEqual({ kind: 'go', path: 'dead-letters' })
    expect(shortcutOf({ ...press, key: 'k', isAfterG: true })).toEqual({ kind: 'go', path: 'datastore' })
  })

  test.each([
    ['somebody writes', { isTyping: true }],
    ['it belongs to the browser', { isModified: true }],
    ['it belongs to a button', { key: 'Enter', isOnControl: true }],
    ['it means nothing', { key: 'q' }],
    ['it means nothing after g', { key: 'q', isAfterG: true }],
  ])('does nothing when %s', (_, change) => {
    expect(shortcutOf({ ...press, ...change })).toEqual({ kind: 'none' })
  })

  test('means one thing', () => {
    expect(new Set(acts.map(([key]) => key)).size).toBe(acts.length)
    expect(new Set(places.map(([key]) => key)).size).toBe(places.length)
  })
})
