import { describe, expect, test } from 'vitest'
import { createTurn } from './turn.ts'

describe('answers of one turn of the event loop', () => {
  test('are given together, in their order, after what is at hand', async () => {
    const inTurn = createTurn()
    const seen: string[] = []
    const all = ['one', 'two'].map((name) => inTurn(name).then((value) => seen.push(value)))
    await Promise.resolve().then(() => seen.push('at hand'))

    await Promise.all(all)

    expect(seen).toEqual(['at hand', 'one', 'two'])
  })

  test('begin anew in the next one', async () => {
    const inTurn = createTurn()

    const first = await inTurn(1)
    const second = await inTurn(2)

    expect([first, second]).toEqual([1, 2])
  })
})
