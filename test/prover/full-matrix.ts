import { afterAll, beforeAll, describe } from 'vitest'
import { allScenarios } from '../../src/prover/scenarios/all-scenarios.ts'
import { test } from '../support/database.ts'
import { redisStarter } from '../support/redis-server.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { type BuiltPackage, buildPackage } from './built-package.ts'
import { proveTarget } from './prove-target.ts'
import { failuresOf } from './run-prover.ts'
import { expectedOf, isAvailable, targets } from './targets.ts'

/** PROVER_SEEDS says how many, PROVER_CRASHES=0 leaves the crashes out. */
const seeds = Number(process.env['PROVER_SEEDS'] ?? 20)
const only = allScenarios
  .filter(({ group }) => group !== 'crashes' || process.env['PROVER_CRASHES'] !== '0')
  .map(({ name }) => name)

const runs = Array.from({ length: seeds }, (_, index) =>
  targets.map((target) => ({ target, name: target.name, seed: `seed-${index + 1}` })),
).flat()

let built: BuiltPackage
let redis: ServerProcess | undefined

beforeAll(async () => {
  built = buildPackage()
  redis = await (await redisStarter())?.()
})

afterAll(async () => {
  await redis?.stop()
  built?.remove()
})

describe.concurrent('the prover', () => {
  test.for(runs)('says what is right about $name, $seed', async ({ target, seed }, { database, expect, skip }) => {
    if (!(await isAvailable(target))) skip()

    const report = await proveTarget({
      target,
      folder: built.examples,
      database,
      redisUrl: redis === undefined ? undefined : `redis://127.0.0.1:${redis.port}`,
      options: { seed, only, recoverySeconds: 20 },
    })

    expect(failuresOf(report)).toEqual(expectedOf(target, only))
    await database.query(`drop schema if exists "${database.schema}_oncehook" cascade`)
  })
})
