import { describe, expect, test } from 'vitest'
import { openScreen } from './screen.ts'

describe('a screen', () => {
  test('draws over what stood there, cuts off what does not fit, and gives the cursor back', () => {
    const written: string[] = []
    const screen = openScreen({ isTTY: true, rows: 3, write: (text) => written.push(text) })

    screen.draw('one\ntwo\nthree')
    screen.close()

    expect(written).toEqual([
      '\u001b[?25l\u001b[2J\u001b[H',
      '\u001b[Hone\u001b[K\ntwo\u001b[K\n\u001b[J',
      '\u001b[?25h',
    ])
  })

  test('is plain lines where there is no terminal', () => {
    const written: string[] = []
    const screen = openScreen({ write: (text) => written.push(text) })

    screen.draw('one')
    screen.draw('two')
    screen.close()

    expect(written).toEqual(['one\n', 'two\n'])
  })
})
