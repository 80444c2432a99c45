// Every `ts` block of README.md and docs/*.md is a program that is type-checked against the sources and run.
//
//   ```ts             begins a program
//   ```ts continued   goes on with the program of the block above
//   ```ts not-run     is type-checked only
//
// A comment `// => text` is a line that the program prints. All of them, in order, are all that it prints.
// Each program has a database of its own in DATABASE_URL, a free port in PORT, and STRIPE_WEBHOOK_SECRET; all share a Redis in REDIS_URL.
import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { redisStarter } from '../support/redis-server.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { readPages } from './pages.ts'
import { compilePrograms, type Program, programsOf, removePrograms, runProgram, writePrograms } from './programs.ts'

const programs = readPages().flatMap(programsOf)
let files: ReadonlyMap<Program, string>
let complaints: string
const startRedis = await redisStarter()
let redis: ServerProcess | undefined

beforeAll(async () => {
  redis = await startRedis?.()
  files = writePrograms(programs)
  complaints = await compilePrograms()
})

afterAll(async () => {
  removePrograms()
  await redis?.stop()
})

describe('the examples', () => {
  test('have the types they say', () => {
    expect(complaints).toBe('')
  })

  test.each(programs.filter(isRunHere))('$name runs and prints what it says', async (program) => {
    const database = await createDatabase()

    const { exitCode, printed, output } = await runProgram(program, files.get(program) ?? '', {
      DATABASE_URL: database.url,
      STRIPE_WEBHOOK_SECRET: `whsec_${randomBytes(24).toString('hex')}`,
      PORT: '0',
      REDIS_URL: `redis://127.0.0.1:${redis?.port}`,
    })
    await database.drop()

    expect({ printed, failure: exitCode === 0 ? '' : output }).toEqual({ printed: program.prints, failure: '' })
  })
})

/** Where there is no Redis, what needs one is only type-checked. */
function isRunHere({ isRun, text }: Program): boolean {
  return isRun && (startRedis !== undefined || !text.includes('REDIS_URL'))
}

/** A database and not a schema, because examples use the default one. */
async function createDatabase(): Promise<{ readonly url: string; readonly drop: () => Promise<void> }> {
  const url = new URL(inject('databaseUrl'))
  const name = `docs_${randomBytes(8).toString('hex')}`
  const server = new Client({ connectionString: url.href })
  await server.connect()
  await server.query(`create database ${name}`)
  url.pathname = `/${name}`
  const drop = async (): Promise<void> => {
    await server.query(`drop database ${name} with (force)`)
    await server.end()
  }
  return { url: url.href, drop }
}
