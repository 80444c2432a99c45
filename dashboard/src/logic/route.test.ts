import { describe, expect, test } from 'vitest'
import { linkTo, parseRoute } from './route.ts'

describe('an address inside the app', () => {
  test.each(['plain', 'a/b', 'a?b#c', '%', 'javascript:alert(1)', 'é 😀'])('keeps %j as one part', (part) => {
    const address = linkTo(['datastore', part], { q: part })

    expect(address.startsWith('#/datastore/')).toBe(true)
    expect(parseRoute(address).path).toEqual(['datastore', part])
    expect(parseRoute(address).query.get('q')).toBe(part)
  })

  test('leaves out what is empty', () => {
    expect(linkTo(['receipts'], { source: '', type: undefined })).toBe('#/receipts')
    expect(parseRoute('').path).toEqual([])
    expect([...parseRoute('#/receipts?source=').query]).toEqual([])
  })

  test('takes a broken escape as it stands', () => {
    expect(parseRoute('#/receipts/%zz').path).toEqual(['receipts', '%zz'])
  })
})
