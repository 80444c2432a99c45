import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compiledFolder } from '../support/compiled.ts'
import { copyMadeDirectory } from './made-directory.ts'
import { readWritten, startWriter, type WriterProcess } from './writer-process.ts'

let compiled: string
let scratch: string
let directory: string
let owner: WriterProcess

beforeAll(async () => {
  compiled = join(await compiledFolder(), 'test/pglite')
  scratch = mkdtempSync(join(tmpdir(), 'oncehook-owner-'))
  directory = join(scratch, 'inbox')
  await copyMadeDirectory(directory)
  owner = startWriter({ compiled, directory })
  await owner.until((lines) => lines.length > 2)
})

afterAll(async () => {
  await owner.kill()
  rmSync(scratch, { recursive: true, force: true })
})

describe('a directory that a process has open', () => {
  test('is refused to another process, which is told who has it', async () => {
    const refused = readWritten(directory)

    await expect(refused).rejects.toMatchObject({ code: 'ONCEHOOK_STORE_IN_USE' })
    await expect(refused).rejects.toThrow(`process ${owner.pid}`)
    await expect(refused).rejects.toThrow(directory)
  })

  test('is refused under another name as well', async () => {
    symlinkSync(directory, join(scratch, 'alias'))

    await expect(readWritten(join(scratch, 'alias'))).rejects.toMatchObject({ code: 'ONCEHOOK_STORE_IN_USE' })
  })

  test('goes to exactly one of several who wait for its death', async () => {
    await owner.kill()

    const takers = [200_000, 300_000, 400_000].map((first) => startWriter({ compiled, directory, first }))
    await Promise.all(takers.map((taker) => taker.until((lines) => lines.length > 0)))
    const answers = takers.map(({ lines }) => lines[0])
    await Promise.all(takers.map((taker) => taker.kill()))

    expect(answers.filter((answer) => answer === 'open')).toHaveLength(1)
    expect(answers.filter((answer) => answer === 'failed ONCEHOOK_STORE_IN_USE')).toHaveLength(2)
    expect(owner.acknowledged().length).toBeGreaterThan(0)
    const kept = await readWritten(directory)
    expect([owner, ...takers].flatMap((writer) => writer.acknowledged()).filter((number) => !kept.has(number))).toEqual(
      [],
    )
  })
})
