import { describe, expect } from 'vitest'
import type { ImportReport } from '../../src/index.ts'
import type { TestDatabase } from '../support/database.ts'
import { test } from './command-line.ts'

describe('import', () => {
  test('says what it would do, does it, and shows what it did', async ({ commandLine, database }) => {
    const { schema, query } = database
    const place = placeOf(database)
    await commandLine.run(['migrate', ...place])
    await query(`create table "${schema}".seen (guid text primary key, state text)`)
    await query(`insert into "${schema}".seen select 'g-' || number, 'done' from generate_series(1, 3) as number`)
    await query(`insert into "${schema}".seen values ('g-4', 'working')`)
    const columns = ['--column', "event_id='12',guid", '--column', 'status=state', '--processed-status', 'done,ok']
    const words = ['import', '--table', `${schema}.seen`, '--source', 'github', ...columns, ...place]

    const tried = await commandLine.run([...words, '--dry-run'])
    const report = JSON.parse((await commandLine.run([...words, '--json'])).stdout) as ImportReport
    const listed = await commandLine.run(['receipts', ...place])
    const one = await commandLine.run(['receipts', '1', ...place])

    expect(tried.stdout).toMatch(/dry run, nothing was changed\)\n[^]*would be taken over as processed +3\n/)
    expect(report).toMatchObject({ isFinished: true, rows: 4, imported: 3, leftOut: 1 })
    expect(listed.stdout).toMatch(/processed +imported +12:g-3 \(import\) /)
    expect(one.stdout).toMatch(/Origin +imported from a table\n/)
    expect(one.stdout).not.toContain('SHA-256')
  })

  test('that is called wrongly says what is missing', async ({ commandLine }) => {
    const complaints = {
      '--table is missing': ['--source', 'stripe', '--column', 'event_id=id'],
      '--source is missing': ['--table', 't', '--column', 'event_id=id'],
      '--column event_id=… is missing': ['--table', 't', '--source', 'stripe'],
      'give one of event_id, type': ['--table', 't', '--source', 'stripe', '--column', 'id'],
      'type is given twice': ['--table', 't', '--source', 's', '--column', 'type=a', '--column', 'type=b'],
      '--others is either leave or': ['--table', 't', '--source', 's', '--column', 'event_id=a', '--others', 'x'],
    }

    for (const [complaint, words] of Object.entries(complaints)) {
      const { code, stderr } = await commandLine.run(['import', ...words])
      expect(code).toBe(2)
      expect(stderr).toContain(complaint)
    }
  })
})

function placeOf({ url, schema }: TestDatabase): readonly string[] {
  return ['--database', url, '--schema', schema]
}
