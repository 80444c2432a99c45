import { fileURLToPath } from 'node:url'
import { describe, expect } from 'vitest'
import { allScenarios } from '../../src/prover/scenarios/all-scenarios.ts'
import { test } from '../support/database.ts'
import { mutants } from './mutants.ts'
import { databaseIn, failuresOf, runProver } from './run-prover.ts'

const file = fileURLToPath(new URL('mutant-server.mjs', import.meta.url))

// Crashes take their time on a busy machine.
describe.concurrent('a handler whose one guarantee is broken', { timeout: 180_000 }, () => {
  test.for(mutants)(
    '$name is caught and named',
    async ({ name, fails, passes = [], run = {} }, { database, expect }) => {
      const report = await runProver({
        databaseUrl: databaseIn(database.url, database.schema),
        command: `exec node ${file}`,
        ...run,
        environment: { BREAK: name, ...run.environment },
        options: { recoverySeconds: 3, kills: 6, seed: name, ...run.options, only: [...Object.keys(fails), ...passes] },
      })

      expect(failuresOf(report)).toEqual(fails)
    },
  )
})

describe('the same handler with nothing broken', { timeout: 180_000 }, () => {
  test('passes every scenario, also one about changes', async ({ database }) => {
    const databaseUrl = databaseIn(database.url, database.schema)

    const report = await runProver({
      databaseUrl,
      command: `exec node ${file}`,
      options: { recoverySeconds: 20, kills: 6 },
    })
    const byObject = await runProver({
      databaseUrl,
      command: `exec node ${file}`,
      countBy: 'object',
      environment: { COUNT_CHANGES: '1' },
      options: { only: ['same-change'] },
    })

    expect(failuresOf(report)).toEqual({})
    expect(report.verdict).toBe('safe')
    expect(report.scenarios.filter(({ status }) => status !== 'passed').map(({ name }) => name)).toEqual([
      'same-change',
    ])
    expect(report.scenarios).toHaveLength(allScenarios.length)
    expect(byObject.scenarios.map(({ status }) => status)).toEqual(['passed'])
  })
})
