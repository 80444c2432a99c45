import { describe, expect, test } from 'vitest'
import { createManualClock, settle } from '../../test/support/manual-clock.ts'
import { createLedgerName } from './ledger-name.ts'

function ledger(names: readonly (string | undefined)[]) {
  const clock = createManualClock()
  const left = [...names]
  let asked = 0
  const read = async (): Promise<string> => {
    asked += 1
    const name = left.shift()
    if (name === undefined) throw new Error('away')
    return name
  }
  return { clock, name: createLedgerName({ read, clock }), asked: () => asked }
}

describe('the name of a ledger', () => {
  test('is not known before it was asked for', async () => {
    const { name } = ledger(['one'])

    expect(name.current()).toBeUndefined()
    await settle()
    expect(name.current()).toBe('one')
  })

  test('is asked for once a second, and only when somebody wants to know', async () => {
    const { name, clock, asked } = ledger(['one', 'one', 'one'])
    await name.ask()

    name.current()
    await clock.advance(5000)
    expect(asked()).toBe(1)
    name.current()
    name.current()
    await settle()
    name.current()

    expect(asked()).toBe(2)
  })

  test('that has changed is known from then on', async () => {
    const { name, clock } = ledger(['one', 'two'])
    await name.ask()
    await clock.advance(1000)

    expect(name.current()).toBe('one')
    await settle()
    expect(name.current()).toBe('two')
  })

  test('is trusted for ten seconds and no longer, if nobody answers', async () => {
    const { name, clock } = ledger(['one'])
    await name.ask()

    await clock.advance(9999)
    expect(name.current()).toBe('one')
    await clock.advance(1)
    expect(name.current()).toBeUndefined()
  })
})
