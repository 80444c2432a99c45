import { describe, expect, test } from 'vitest'
import { parseDocument, treeLines } from './json-tree.ts'

const unturned = new Set<string>()

describe('a JSON tree', () => {
  test('opens the branches near the root, and those that were turned over', () => {
    const document = { id: 'evt_1', data: { object: { paid: true } }, list: [1, null] }

    const closed = treeLines(document, { openDepth: 1, turned: unturned })
    const opened = treeLines(document, { openDepth: 1, turned: new Set(['$.data', '$.list']) })

    expect(closed.map(({ path }) => path)).toEqual(['$', '$.id', '$.data', '$.list'])
    expect(closed[2]?.content).toEqual({ kind: 'object', count: 1, isOpen: false })
    expect(opened.map(({ path }) => path)).toEqual([
      '$',
      '$.id',
      '$.data',
      '$.data.object',
      '$.list',
      '$.list.0',
      '$.list.1',
    ])
    expect(opened.at(-1)?.content).toEqual({ kind: 'null', text: 'null' })
  })

  test('closes a branch near the root that was turned over', () => {
    expect(treeLines([1, 2], { openDepth: 2, turned: new Set(['$']) })).toHaveLength(1)
  })

  test('stays small for a document that is huge', () => {
    const wide = treeLines(
      Array.from({ length: 100_000 }, (_, index) => index),
      { openDepth: 1, turned: unturned },
    )
    const large = treeLines(
      Array.from({ length: 400 }, () => Array.from({ length: 400 }, () => 0)),
      {
        openDepth: 9,
        turned: unturned,
      },
    )

    expect(wide).toHaveLength(502)
    expect(wide.at(-1)?.content).toEqual({ kind: 'more', count: 99_500 })
    expect(large.length).toBeLessThanOrEqual(5_001)
  })

  test('does not overflow on a document that is deep', () => {
    const deep: unknown = JSON.parse(`${'['.repeat(4_000)}${']'.repeat(4_000)}`)

    expect(treeLines(deep, { openDepth: 10_000, turned: unturned })).toHaveLength(4_000)
  })
})

describe('a text', () => {
  test('is a document, or it is not', () => {
    expect(parseDocument('{"a":[1]}')).toEqual({ document: { a: [1] } })
    expect(parseDocument('null')).toEqual({ document: null })
    expect(parseDocument('{"a":')).toBe(undefined)
  })
})
