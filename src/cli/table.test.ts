import { describe, expect, test } from 'vitest'
import { drawFacts, drawTable, padded } from './table.ts'

describe('a table', () => {
  test('has columns as wide as their widest cell, and no space at the end of a line', () => {
    const drawn = drawTable(
      [{ title: 'id' }, { title: 'tries', align: 'right' }, { title: 'error' }],
      [
        ['12345', '1', ''],
        ['7', '12', 'no such table'],
      ],
    )

    expect(drawn.split('\n')).toEqual(['ID     TRIES  ERROR', '12345      1', '7         12  no such table'])
  })

  test('is aligned when cells are coloured', () => {
    const drawn = drawTable(
      [{ title: 'status' }, { title: 'id' }],
      [
        ['\u001b[32mok\u001b[39m', '1'],
        ['failed', '2'],
      ],
    )

    expect(drawn.split('\n')[1]).toBe('\u001b[32mok\u001b[39m      1')
  })

  test('without rows is its titles', () => {
    expect(drawTable([{ title: 'id' }], [])).toBe('ID')
  })
})

describe('facts', () => {
  test('stand under each other with their values aligned', () => {
    expect(
      drawFacts([
        ['id', '1'],
        ['source', 'stripe'],
      ]),
    ).toBe('id      1\nsource  stripe')
  })
})

describe('padding', () => {
  test('leaves a text that is too long as it is', () => {
    expect(padded('abcdef', 3)).toBe('abcdef')
  })
})
