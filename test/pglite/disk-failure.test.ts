import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { holdDatabase } from '../../src/store/pglite/database-holder.ts'
import { createPgliteClient, type PgliteClient } from '../../src/store/pglite/pglite-client.ts'
import { copyMadeDirectory } from './made-directory.ts'

const fs = createRequire(import.meta.url)('node:fs') as typeof import('node:fs')
const { fdatasyncSync } = fs

let directory: string
let client: PgliteClient

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'oncehook-disk-'))
  await copyMadeDirectory(directory)
  client = createPgliteClient(holdDatabase({ kind: 'directory', directory }))
  await client.database().exec('create table notes (id integer primary key, text text)')
})

afterAll(async () => {
  await client.close()
  rmSync(directory, { recursive: true, force: true })
})

/** As if the disk answered every sync of the log with an error. */
async function withFailingDisk(work: () => Promise<void>): Promise<void> {
  fs.fdatasyncSync = () => {
    throw Object.assign(new Error('the disk is gone'), { code: 'EIO' })
  }
  syncBuiltinESMExports()
  try {
    await work()
  } finally {
    fs.fdatasyncSync = fdatasyncSync
    syncBuiltinESMExports()
  }
}

describe('a disk that does not sync', () => {
  test('leaves a statement unknown, and the next one finds a database that works', async () => {
    await client.query('insert into notes values (1)')

    await withFailingDisk(async () => {
      await expect(client.query('insert into notes values (2)')).rejects.toMatchObject({
        code: 'ONCEHOOK_COMMIT_UNKNOWN',
      })
    })

    const rows = await client.query<{ id: number }>('select id from notes where id < 2')
    expect(rows).toEqual([{ id: 1 }])
  })

  test('leaves a transaction unknown, and does not hang in its rollback', async () => {
    await withFailingDisk(async () => {
      const attempt = client.transaction((connection) =>
        // More than a file of the log holds, so that it is synced in the middle of the transaction.
        connection.query(
          `insert into notes select n, repeat(md5(n::text), 20) from generate_series(100, 60000) as numbers (n)`,
        ),
      )
      await expect(attempt).rejects.toMatchObject({ code: 'ONCEHOOK_COMMIT_UNKNOWN' })
    })

    await client.query('insert into notes values (6)')
    expect(await client.query('select id from notes where id in (1, 6) order by id')).toEqual([{ id: 1 }, { id: 6 }])
  })
})

test('the log of a store that writes a lot is cut short by checkpoints', async () => {
  const isLogFile = (name: string) => /^[0-9A-F]{24}$/.test(name)
  for (let round = 0; round < 20; round += 1) {
    await client.query(
      `insert into notes select $1::int + n, repeat(md5(n::text), 10) from generate_series(1, 20000) as numbers (n)`,
      [1000 + round * 20_000],
    )
  }

  const [position] = await client.query<{ behind: string }>(
    'select pg_current_wal_lsn() - redo_lsn as behind from pg_control_checkpoint()',
  )
  expect(Number(position?.behind)).toBeLessThan(100 * 1024 * 1024)
  expect(readdirSync(join(directory, 'database', 'pg_wal')).filter(isLogFile).length).toBeLessThan(20)
})
