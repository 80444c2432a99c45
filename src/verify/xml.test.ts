import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { childrenNamed, elementAt, escapeXml, parseXml } from './xml.ts'

describe('well-formed XML', () => {
  test('becomes elements with their attributes, children and text', () => {
    const root = parseXml('<?xml version="1.0" encoding="UTF-8"?>\n<a n="1"><b>first</b> and <b>second</b><c/></a>\n')

    expect(root).toMatchObject({
      name: 'a',
      attributes: new Map([['n', '1']]),
      text: ' and ',
      children: [
        { name: 'b', text: 'first' },
        { name: 'b', text: 'second' },
        { name: 'c', text: '', children: [] },
      ],
    })
  })

  test.each([
    ['the five named entities', '<a>&lt;&gt;&amp;&quot;&apos;</a>', '<>&"\''],
    ['numbers, decimal and hexadecimal', '<a>&#228;&#xE4;&#x1F596;</a>', 'ää🖖'],
    ['what looks like an entity once it is resolved', '<a>&amp;lt;</a>', '&lt;'],
    ['CDATA as it is', '<a>1<![CDATA[<b>&lt;]]]]><![CDATA[>]]></a>', '1<b>&lt;]]>'],
    ['text around comments', '<a>x<!-- <b> & - -->y</a>', 'xy'],
    ['line ends of any kind', '<a>1\r\n2\r3\n4</a>', '1\n2\n3\n4'],
    ['nothing but white space', '<a> \t\n</a>', ' \t\n'],
  ])('holds %s', (_, xml, text) => {
    expect(parseXml(xml)?.text).toBe(text)
  })

  test('has attributes in either quotes, with white space made plain', () => {
    expect(parseXml(`<a x = "it's" y='"2&gt;1"'\n z="1\n2>3"/>`)?.attributes).toEqual(
      new Map([
        ['x', "it's"],
        ['y', '"2>1"'],
        ['z', '1 2>3'],
      ]),
    )
  })

  test('keeps names that objects have by themselves apart from those', () => {
    const root = parseXml('<a constructor="1" __proto__="2"><__proto__>3</__proto__></a>')

    expect(root?.attributes.get('__proto__')).toBe('2')
    expect(root?.children).toMatchObject([{ name: '__proto__', text: '3' }])
  })

  test('is found by local names, whatever the prefix', () => {
    const root = parseXml(
      '<s:Envelope xmlns:s="urn:s"><s:Body><n:note><Id>1</Id></n:note><x:Id/><Id/></s:Body></s:Envelope>',
    )

    expect(elementAt(root, 'Body.note.Id')?.text).toBe('1')
    expect(elementAt(root, 'Body.Id')).toBeUndefined()
    expect(elementAt(root, 'Body.none.Id')).toBeUndefined()
    expect(root?.children.flatMap((body) => childrenNamed(body, 'Id'))).toHaveLength(2)
  })

  test('gives back any text that was escaped', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const root = parseXml(`<a b="${escapeXml(text)}">${escapeXml(text)}</a>`)

        expect(root?.text).toBe(text)
        expect(root?.attributes.get('b')).toBe(text)
      }),
    )
  })
})

describe('what is not well-formed XML', () => {
  test.each([
    ['nothing', ''],
    ['only white space', ' \n'],
    ['no element', 'text'],
    ['an element that stays open', '<a><b></b>'],
    ['an end without a start', '<a></a></b>'],
    ['elements that overlap', '<a><b></a></b>'],
    ['another end than the start', '<a></A>'],
    ['two roots', '<a/><b/>'],
    ['text beside the root', '<a/>text'],
    ['CDATA beside the root', '<a/><![CDATA[x]]>'],
    ['an attribute twice', '<a b="1" b="2"/>'],
    ['an attribute without quotes', '<a b=1/>'],
    ['an attribute without a value', '<a b/>'],
    ['attributes without a space', '<a b="1"c="2"/>'],
    ['a tag inside an attribute', '<a b="<"/>'],
    ['a lone ampersand', '<a>1 & 2</a>'],
    ['an entity without its end', '<a>&lt</a>'],
    ['an unknown entity', '<a>&nbsp;</a>'],
    ['a number for no character', '<a>&#0;</a>'],
    ['a number for half a character', '<a>&#xD800;</a>'],
    ['a number beyond all characters', '<a>&#x110000;</a>'],
    ['an empty number', '<a>&#;</a>'],
    ['a control character', '<a>\u0000</a>'],
    ['half a character', '<a>\ud800</a>'],
    ['the end of a CDATA section alone', '<a>]]></a>'],
    ['a comment with two hyphens', '<a><!-- -- --></a>'],
    ['a comment that stays open', '<a><!-- </a>'],
    ['a processing instruction', '<a><?php echo 1 ?></a>'],
    ['a declaration that is not first', '<a><?xml version="1.0"?></a>'],
    ['a name that starts with a digit', '<1a/>'],
    ['a space before the name', '< a/>'],
    ['an end without a name', '<a></a></>'],
    ['a slash inside a tag', '<a / b="1"/>'],
  ])('is refused: %s', (_, xml) => {
    expect(parseXml(xml)).toBeUndefined()
  })

  test.each([
    ['a document type', '<!DOCTYPE a><a/>'],
    ['an entity of its own', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'],
    ['an external entity', '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'],
    ['entities that multiply', '<!DOCTYPE a [<!ENTITY b "cc"><!ENTITY d "&b;&b;">]><a>&d;</a>'],
  ])('is refused for its document type definition: %s', (_, xml) => {
    expect(parseXml(xml)).toBeUndefined()
  })

  test('is refused when it is nested too deeply, and read just below that', () => {
    const nested = (levels: number) => '<a>'.repeat(levels) + '</a>'.repeat(levels)

    expect(parseXml(nested(64))?.name).toBe('a')
    expect(parseXml(nested(65))).toBeUndefined()
    expect(parseXml('<a>'.repeat(1_000_000))).toBeUndefined()
  })

  test('is refused when it is too large', () => {
    expect(parseXml(`<a>${'x'.repeat(4 * 1024 * 1024)}</a>`)).toBeUndefined()
  })

  test('never makes it throw', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '/',
      'a',
      '"',
      "'",
      '&',
      ';',
      '#',
      '=',
      ' ',
      '<!--',
      '-->',
      '<![CDATA[',
      ']]>',
    )

    fc.assert(fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => void parseXml(pieces.join(''))))
  })

  test.each([
    '<a b="',
    '<!--',
    '<!-- -->',
    '<![CDATA[',
    '<![CDATA[]]>',
    '&',
    '&amp;',
    '<a ',
    ' a="1"',
    '<a',
    ' ',
    '</a',
    '<b/>',
  ])('is judged in time that grows with its size and no faster: many %j', (piece) => {
    const started = performance.now()

    parseXml(`<a>${piece.repeat(600_000 / piece.length)}`)
    parseXml(`<a ${piece.repeat(600_000 / piece.length)}`)

    expect(performance.now() - started).toBeLessThan(5000)
  })
})
