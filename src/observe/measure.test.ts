import { expect, test } from 'vitest'
import { createMeasure } from './measure.ts'
import { createRegistry } from './registry.ts'

test('runs of upkeep are counted, and what they did is added up', () => {
  const registry = createRegistry()
  const measure = createMeasure(registry, { maximumTypes: 10, maximumSources: 10 })
  const run = { kind: 'upkeep', task: 'receipts', outcome: 'done', tookMilliseconds: 5 } as const

  measure({ ...run, counts: { deleted: 500 } })
  measure({ ...run, counts: { deleted: 20 } })

  expect(registry.counts('upkeepRuns')).toEqual([{ labels: ['receipts', 'done'], value: 2 }])
  expect(registry.counts('upkeepDone')).toEqual([{ labels: ['receipts', 'deleted'], value: 520 }])
})
