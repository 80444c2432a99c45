import { describe, expect, test } from 'vitest'
import { mergeAt, mergeIntoForm } from './merge-fields.ts'

describe('fields', () => {
  test('are merged into objects at every depth, and replace anything else', () => {
    const invoice = { data: { object: { id: 'in_1', lines: [1, 2], customer: { name: 'Ada', city: 'Bern' } } } }

    const changed = mergeAt(invoice, 'data.object', { lines: [3], customer: { city: 'Rome' }, paid: true })

    expect(changed).toEqual({
      data: { object: { id: 'in_1', lines: [3], customer: { name: 'Ada', city: 'Rome' }, paid: true } },
    })
    expect(invoice.data.object.lines).toEqual([1, 2])
  })

  test('change one item of a list', () => {
    expect(mergeAt({ events: [{ id: 1 }, { id: 2 }] }, 'events.0', { kind: 'a' })).toEqual({
      events: [{ id: 1, kind: 'a' }, { id: 2 }],
    })
  })

  test('go to the top where there is no such place', () => {
    expect(mergeAt({ type: 'ping' }, 'data.object', { zen: true })).toEqual({ type: 'ping', zen: true })
  })

  test('leave out what is undefined, and keep dates and null', () => {
    const at = new Date(0)

    expect(mergeAt({ a: 1, b: { c: 2 } }, undefined, { a: undefined, b: null, at })).toEqual({ b: null, at })
  })

  test('are fields of a form, or of the JSON that it carries', () => {
    expect(mergeIntoForm('a=1&b=2', { b: 3, c: 'ä', a: undefined })).toBe('b=3&c=%C3%A4')
    expect(mergeIntoForm(`payload=${encodeURIComponent('{"user":{"id":1}}')}`, { user: { name: 'x' } })).toBe(
      new URLSearchParams({ payload: '{"user":{"id":1,"name":"x"}}' }).toString(),
    )
  })
})
