import { afterAll, beforeAll, describe } from 'vitest'
import { allScenarios } from '../../src/prover/scenarios/all-scenarios.ts'
import { test } from '../support/database.ts'
import { type BuiltPackage, buildPackage } from './built-package.ts'
import { proveTarget } from './prove-target.ts'
import { failuresOf } from './run-prover.ts'
import { expectedOf, isAvailable, targetNamed } from './targets.ts'

let built: BuiltPackage

beforeAll(() => {
  built = buildPackage()
})

afterAll(() => built?.remove())

const calm = allScenarios.filter(({ group }) => group !== 'crashes').map(({ name }) => name)

/** Whether a copy on the heels of the first meets a gap of microseconds is a matter of luck where other tests run. */
const calmAndSure = calm.filter((name) => name !== 'copy-while-processing')

const withKills = [...calm, 'killed-while-processing']

/** A few of each kind; `npm run test:prover` runs them all, with twenty seeds. */
const runs: readonly { readonly name: string; readonly seed: string; readonly only: readonly string[] }[] = [
  { name: 'oncehook-inline', seed: 'one', only: withKills },
  { name: 'inline-transaction in Python', seed: 'two', only: withKills },
  { name: 'select-then-insert', seed: 'three', only: calmAndSure },
  { name: 'select-then-insert', seed: 'four', only: calmAndSure },
  { name: 'select-then-insert in PHP', seed: 'five', only: ['repeated-delivery', 'copies-at-once', 'hostile-input'] },
  {
    name: 'receipt-and-queue',
    seed: 'six',
    only: ['copies-at-once', 'parent-missing', 'killed-after-acknowledgement'],
  },
]

describe.concurrent('the prover', { timeout: 240_000 }, () => {
  test.for(runs)(
    'says what is right about $name, seed $seed',
    async ({ name, seed, only }, { database, expect, skip }) => {
      const target = targetNamed(name)
      if (!(await isAvailable(target))) skip()

      const report = await proveTarget({
        target,
        folder: built.examples,
        database,
        redisUrl: undefined,
        options: { seed, only, kills: 4, recoverySeconds: 20 },
      })

      expect(failuresOf(report)).toEqual(expectedOf(target, only))
      await database.query(`drop schema if exists "${database.schema}_oncehook" cascade`)
    },
  )
})
