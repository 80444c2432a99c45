import { describe, expect, test } from 'vitest'
import { commandAsker } from './command-asker.ts'
import { countOf } from './probe.ts'
import { parametersOf } from './sql-asker.ts'
import { addressFor, urlAsker } from './url-asker.ts'

const hostile = `evt_'; drop table effects; -- $(reboot) & ? "`

describe('the answer of a probe', () => {
  test.each([
    ['3', 3],
    [' 0\n', 0],
    ['{"count":2,"of":9}', 2],
    ['{"effects":4}', 4],
  ])('%j is %d', (answer, count) => {
    expect(countOf(answer)).toBe(count)
  })

  test.each(['', 'three', '-1', '1.5', '[1]', '{"a":1,"b":2}', '{"count":"1"}', 'null'])('%j is no count', (answer) => {
    expect(() => countOf(answer)).toThrow('which is no count')
  })
})

describe('a probe in SQL', () => {
  test.each([
    ['select 1 where a = :event', 'select 1 where a = $1', ['event']],
    ['select 1 where a = :object::text', 'select 1 where a = $1::text', ['object']],
    ['where a = :object and b = :event or c = :object', 'where a = $1 and b = $2 or c = $1', ['object', 'event']],
    [`where a = ':event' and "b:event" = :event`, `where a = ':event' and "b:event" = $1`, ['event']],
    ['where a = $1', 'where a = $1', ['event']],
    ['where a = $1 and b = $2', 'where a = $1 and b = $2', ['event', 'object']],
  ])('%j has parameters', (statement, text, names) => {
    expect(parametersOf(statement)).toEqual({ text, names })
  })

  test('that asks for no event and no object is refused', () => {
    expect(() => parametersOf('select count(*) from effects')).toThrow(':event')
  })
})

describe('a probe by address', () => {
  test('escapes what it puts in', () => {
    expect(addressFor('http://a.test/{event}/x?o={object}', { eventId: hostile, objectId: 'a&b' })).toBe(
      `http://a.test/${encodeURIComponent(hostile)}/x?o=a%26b`,
    )
    expect(addressFor('http://a.test/?x=1', { eventId: 'evt_1', objectId: undefined })).toBe(
      'http://a.test/?x=1&event=evt_1&object=',
    )
  })

  test('knows whether it counts by object', () => {
    expect(urlAsker('http://a.test/{object}').asksBy).toBe('object')
    expect(urlAsker('http://a.test/{object}/{event}').asksBy).toBe('event')
    expect(() => urlAsker('ftp://a.test')).toThrow('http://')
  })
})

describe('a probe by command', () => {
  test('hands the ids over as they are', async () => {
    const { ask } = commandAsker('printf "%s|%s" "$1" "$2"')

    expect(await ask({ eventId: hostile, objectId: 'in_1' })).toBe(`${hostile}|in_1`)
  })
})
