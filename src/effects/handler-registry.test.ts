import { describe, expect, test } from 'vitest'
import { createHandlerRegistry, matches } from './handler-registry.ts'

const defaults = {
  modeOf: () => 'inline' as const,
  sameChangeOf: () => undefined,
  maxAttempts: 12,
  backoff: () => 1,
  timeoutSeconds: 30,
}
const nothing = (): void => {}

describe('handlers', () => {
  test('are found by exact type, by beginning and by star', () => {
    expect(matches('invoice.paid', 'invoice.paid')).toBe(true)
    expect(matches('invoice.paid', 'invoice.paid.late')).toBe(false)
    expect(matches('invoice.*', 'invoice.paid')).toBe(true)
    expect(matches('invoice.*', 'invoices')).toBe(false)
    expect(matches('*', '')).toBe(true)
  })

  test('are found in the order in which they were added, and only those of the source', () => {
    const registry = createHandlerRegistry<unknown>(defaults)
    registry.add('stripe', '*', nothing, { name: 'second' })
    registry.add('github', '*', nothing, { name: 'other' })
    registry.add('stripe', ['a', 'b'], nothing, { name: 'first' })

    expect(registry.matching('stripe', 'b').map(({ name }) => name)).toEqual(['second', 'first'])
    expect(registry.sources()).toEqual(['stripe', 'github'])
  })

  test('get distinct names by themselves', () => {
    const registry = createHandlerRegistry<unknown>(defaults)
    registry.add('stripe', 'a', nothing, {})
    registry.add('stripe', 'a', nothing, {})

    expect(registry.matching('stripe', 'a').map(({ name }) => name)).toEqual(['stripe/a', 'stripe/a#2'])
  })

  test('are refused with every mistake named', () => {
    const registry = createHandlerRegistry<unknown>(defaults)
    const options = { name: 'wrong', maxAttempts: 0, timeoutSeconds: -1, order: 'object' } as const

    expect(() => registry.add('stripe', [], nothing, options)).toThrow(
      /"wrong" cannot start:[^]*event type[^]*maxAttempts[^]*timeoutSeconds[^]*order/,
    )
  })

  test('are refused under a name that is taken', () => {
    const registry = createHandlerRegistry<unknown>(defaults)
    registry.add('stripe', 'a', nothing, { name: 'mail' })

    expect(() => registry.add('stripe', 'b', nothing, { name: 'mail' })).toThrow(/same name/)
  })
})
