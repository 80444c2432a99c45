import { describe, expect, test } from 'vitest'
import { parseXml } from './xml.ts'
import { valueOfXml, xmlOfValue } from './xml-document.ts'

const valueOf = (xml: string): unknown => {
  const element = parseXml(xml)
  return element === undefined ? 'not XML' : valueOfXml(element)
}

describe('an XML element as a value', () => {
  test.each([
    ['its text', '<a>49.99</a>', '49.99'],
    ['an empty text', '<a></a>', ''],
    ['null', '<a nil="true"/>', null],
    ['a number', '<a type="integer">15</a>', 15],
    ['a text where a number would lose digits', '<a type="integer">9007199254740993</a>', '9007199254740993'],
    ['a text where there is no number', '<a type="integer">many</a>', 'many'],
    ['true', '<a type="boolean">true</a>', true],
    ['false', '<a type="boolean">false</a>', false],
    ['a list', '<a type="array"><b>1</b><c>2</c></a>', ['1', '2']],
    ['an empty list', '<a type="array"></a>', []],
    ['an object', '<a>\n  <plan-id>p</plan-id> <first_name>Zoë</first_name>\n</a>', { planId: 'p', firstName: 'Zoë' }],
    ['an object with a list, where a name comes again', '<a><b>1</b><b>2</b></a>', { b: ['1', '2'] }],
    ['the text of a time', '<a type="datetime">2026-11-15T11:59:58Z</a>', '2026-11-15T11:59:58Z'],
  ])('is %s', (_, xml, expected) => {
    expect(valueOf(xml)).toEqual(expected)
  })

  test('cannot reach the prototype of an object', () => {
    const value = valueOf('<a><__proto__><isAdmin type="boolean">true</isAdmin></__proto__></a>') as object

    expect('isAdmin' in value).toBe(false)
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })

  test('is what was written', () => {
    const value = { planId: 'p & <q>', count: 3, isOpen: true, tags: ['a', { b: 'c' }], none: null, price: '49.99' }

    expect(valueOf(xmlOfValue('subject', value))).toEqual(value)
  })
})
