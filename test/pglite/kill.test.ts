import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { compiledFolder } from '../support/compiled.ts'
import { copyMadeDirectory } from './made-directory.ts'
import { seededRandom } from './power-cut.ts'
import { readWritten, startWriter } from './writer-process.ts'

let compiled: string
let scratch: string

beforeAll(async () => {
  compiled = join(await compiledFolder(), 'test/pglite')
  scratch = mkdtempSync(join(tmpdir(), 'oncehook-kill-'))
})

afterAll(() => {
  rmSync(scratch, { recursive: true, force: true })
})

describe('a process that is killed', () => {
  test('leaves every row that it acknowledged, however often it happens', async () => {
    const directory = join(scratch, 'often')
    const random = seededRandom(7)
    await copyMadeDirectory(directory)
    const acknowledged: number[] = []

    for (let round = 0; round < 4; round += 1) {
      const rows = 1 + Math.floor(random() * 300)
      const writer = startWriter({ compiled, directory, first: round * 100_000 + 1, checkpointEvery: 50 })
      await writer.until((lines) => lines.length > rows)
      await writer.kill()
      acknowledged.push(...writer.acknowledged())
    }

    const kept = await readWritten(directory)
    expect(acknowledged.length).toBeGreaterThan(4)
    expect(acknowledged.filter((number) => !kept.has(number))).toEqual([])
  })

  test.for([
    ['before the first file', (database: string) => existsSync(join(database, 'oncehook-unfinished'))],
    ['at the first directories', (database: string) => countOf(database) > 3],
    ['while files are copied', (database: string) => countOf(join(database, 'base', '1')) > 20],
    ['as soon as it looks like a database', (database: string) => existsSync(join(database, 'PG_VERSION'))],
    ['when Postgres starts', (database: string) => existsSync(join(database, 'postmaster.pid'))],
  ] as const)('during its first start, %s, leaves a directory that opens', async ([moment, hasCome]) => {
    const directory = join(scratch, moment)
    const writer = startWriter({ compiled, directory })
    await vi.waitUntil(() => hasCome(join(directory, 'database')), { timeout: 30_000, interval: 1 })
    await writer.kill()

    const kept = await readWritten(directory)

    expect(writer.acknowledged().filter((number) => !kept.has(number))).toEqual([])
  })
})

describe('a directory', () => {
  test('with files that are not ours is refused and left as it is', async () => {
    const database = join(scratch, 'foreign', 'database')
    mkdirSync(database, { recursive: true })
    writeFileSync(join(database, 'diary.txt'), 'dear diary')

    await expect(readWritten(join(scratch, 'foreign'))).rejects.toMatchObject({ code: 'ONCEHOOK_INVALID_OPTIONS' })

    expect(readdirSync(database)).toEqual(['diary.txt'])
  })

  test('whose postmaster.pid lost its content in a power cut opens', async () => {
    const directory = join(scratch, 'pid-file')
    await copyMadeDirectory(directory)
    await readWritten(directory)
    writeFileSync(join(directory, 'database', 'postmaster.pid'), '')

    await expect(readWritten(directory)).resolves.toEqual(new Set())
  })
})

function countOf(directory: string): number {
  return existsSync(directory) ? readdirSync(directory).length : 0
}
