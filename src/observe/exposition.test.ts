import { describe, expect, test } from 'vitest'
import { expose } from './exposition.ts'
import { chosenFormat } from './negotiation.ts'
import { createRegistry } from './registry.ts'

function filled(): ReturnType<typeof createRegistry> {
  const registry = createRegistry()
  registry.begin('firstAttempts', { source: 'quiet' })
  registry.count('ignored', { source: 'shop', type: 'a "b" \\ c\nd\ud800', reason: 'no_handler' })
  registry.count('ignored', { source: 'shop', type: 'a "b" \\ c\nd\ud800', reason: 'no_handler' })
  for (const seconds of [0.001, 0.002, 2, 60]) registry.observe('acceptDuration', { source: 'shop' }, seconds)
  return registry
}

describe('the exposition', () => {
  test('escapes label values, adds up buckets and begins series at 0', () => {
    const lines = expose(filled(), { ledgerRows: [{ labels: [], value: 12 }] }, 'plain').split('\n')

    expect(lines).toEqual(
      expect.arrayContaining([
        '# TYPE oncehook_ignored_total counter',
        String.raw`oncehook_ignored_total{source="shop",type="a \"b\" \\ c\nd${'\ufffd'}",reason="no_handler"} 2`,
        'oncehook_first_attempts_total{source="quiet"} 0',
        '# TYPE oncehook_accept_duration_seconds histogram',
        'oncehook_accept_duration_seconds_bucket{source="shop",le="0.001"} 1',
        'oncehook_accept_duration_seconds_bucket{source="shop",le="0.0025"} 2',
        'oncehook_accept_duration_seconds_bucket{source="shop",le="1"} 2',
        'oncehook_accept_duration_seconds_bucket{source="shop",le="30"} 3',
        'oncehook_accept_duration_seconds_bucket{source="shop",le="+Inf"} 4',
        'oncehook_accept_duration_seconds_sum{source="shop"} 62.003',
        'oncehook_accept_duration_seconds_count{source="shop"} 4',
        'oncehook_ledger_rows 12',
      ]),
    )
    expect(lines.at(-1)).toBe('')
  })

  test('leaves out metrics without series', () => {
    expect(expose(createRegistry(), {}, 'plain')).toBe('\n')
    expect(expose(createRegistry(), {}, 'openmetrics')).toBe('# EOF\n')
  })

  test('has OpenMetrics names, bounds and an end', () => {
    const lines = expose(filled(), {}, 'openmetrics').split('\n')

    expect(lines).toEqual(
      expect.arrayContaining([
        '# TYPE oncehook_ignored counter',
        'oncehook_first_attempts_total{source="quiet"} 0',
        'oncehook_accept_duration_seconds_bucket{source="shop",le="1.0"} 2',
      ]),
    )
    expect(lines.slice(-2)).toEqual(['# EOF', ''])
  })
})

describe('the format', () => {
  test.each([
    ['', 'plain'],
    ['*/*', 'plain'],
    ['text/plain', 'plain'],
    ['application/openmetrics-text', 'openmetrics'],
    ['application/openmetrics-text; version=1.0.0; q=0.5, text/plain; q=0.9', 'plain'],
    ['application/openmetrics-text;version=1.0.0;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1', 'openmetrics'],
    ['application/openmetrics-text;q=0', 'plain'],
    ['application/openmetrics-text;q=nonsense', 'plain'],
  ])('for %j is %s', (accept, format) => {
    expect(chosenFormat(accept)).toBe(format)
  })
})
