import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compiledFolder } from '../support/compiled.ts'
import { copyMadeDirectory } from './made-directory.ts'
import { restoreFromPlatter, seededRandom } from './power-cut.ts'
import { readWritten, startWriter } from './writer-process.ts'

let compiled: string
let scratch: string
let prepared: string

beforeAll(async () => {
  compiled = join(await compiledFolder(), 'test/pglite')
  scratch = mkdtempSync(join(tmpdir(), 'oncehook-power-'))
  prepared = join(scratch, 'prepared')
  await copyMadeDirectory(prepared)
  await readWritten(prepared)
})

afterAll(() => {
  rmSync(scratch, { recursive: true, force: true })
})

/** Writes until `rows` rows were acknowledged, cuts the power, and answers with what was promised and what is there afterwards. */
async function cutPower({
  name,
  kind,
  rows,
  share,
}: {
  readonly name: string
  readonly kind: 'syncing' | 'plain'
  readonly rows: number
  /** Which part of the blocks that were not synced the disk had written anyway. */
  readonly share: number
}) {
  const [directory, platter] = [join(scratch, name), join(scratch, `${name}-platter`)]
  const writer = startWriter({ compiled, kind, directory, platter, first: 1, checkpointEvery: 70 })
  await writer.until((lines) => lines.length > rows)
  await writer.kill()
  const random = seededRandom(rows)
  const database = join(directory, 'database')
  const live = join(scratch, `${name}-live`)
  cpSync(database, live, { recursive: true })
  restoreFromPlatter({ platter, live, target: database, chance: () => random() < share })

  const acknowledged = writer.acknowledged()
  const kept = await readWritten(directory)
  return { acknowledged: acknowledged.length, lost: acknowledged.filter((number) => !kept.has(number)).length }
}

describe('a power cut', () => {
  test.for([
    { rows: 40, share: 0 },
    { rows: 260, share: 0 },
    { rows: 333, share: 0.5 },
    { rows: 150, share: 0.1 },
  ])(
    'loses no acknowledged row after $rows rows and some checkpoints, with $share of the rest on the disk',
    async ({ rows, share }) => {
      const name = `after-${rows}`
      cpSync(prepared, join(scratch, name), { recursive: true })

      const { acknowledged, lost } = await cutPower({ name, kind: 'syncing', rows, share })

      expect(acknowledged).toBeGreaterThanOrEqual(rows)
      expect(lost).toBe(0)
    },
  )

  test('loses no acknowledged row when the database was made in the same session', async () => {
    const { acknowledged, lost } = await cutPower({ name: 'first', kind: 'syncing', rows: 100, share: 0 })

    expect(acknowledged).toBeGreaterThanOrEqual(100)
    expect(lost).toBe(0)
  })

  test('loses every row of PGlite as it comes, so this test can tell', async () => {
    cpSync(prepared, join(scratch, 'plain'), { recursive: true })

    const { acknowledged, lost } = await cutPower({ name: 'plain', kind: 'plain', rows: 100, share: 0 })

    expect(acknowledged).toBeGreaterThanOrEqual(100)
    expect(lost).toBe(acknowledged)
  })
})
