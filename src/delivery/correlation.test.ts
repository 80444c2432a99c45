import { describe, expect, test } from 'vitest'
import { correlationIdOf } from './correlation.ts'

const trace = '4bf92f3577b34da6a3ce929d0e0e4736'

function idOf(headers: Readonly<Record<string, string>>): string {
  return correlationIdOf((name) => headers[name], 'own')
}

describe('the correlation id', () => {
  test('is the trace id, then the request id, then our own', () => {
    const traceparent = `00-${trace}-00f067aa0ba902b7-01`

    expect(idOf({ traceparent, 'x-request-id': 'r-1', 'x-correlation-id': 'c-1' })).toBe(trace)
    expect(idOf({ 'x-request-id': 'r-1', 'x-correlation-id': 'c-1' })).toBe('r-1')
    expect(idOf({ 'x-correlation-id': 'c-1' })).toBe('c-1')
    expect(idOf({})).toBe('own')
  })

  test.each([
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `00-${trace}-${'0'.repeat(16)}-01`,
    `00-${trace.toUpperCase()}-00f067aa0ba902b7-01`,
    trace,
    '',
  ])('is not read from %j', (traceparent) => {
    expect(idOf({ traceparent })).toBe('own')
  })

  test.each(['', 'two words', 'line\nbreak', '\u001b[31mred', 'x'.repeat(129), 'ä'])('is not %j', (id) => {
    expect(idOf({ 'x-request-id': id })).toBe('own')
  })
})
