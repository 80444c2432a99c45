import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { newReceipt } from '../store/store-under-test.ts'
import { test } from './command-line.ts'

describe('doctor', () => {
  test('is quiet on a healthy set-up, and ends with 1 where something is wrong', async ({ commandLine, database }) => {
    const { url, schema, pool } = database
    const place = ['--database', url, '--schema', schema, '--environment', 'test']
    const store = postgresStore(pool, { schema })
    await store.migrate()

    const healthy = await commandLine.run(['doctor', ...place])
    await store.recordReceipts([newReceipt({ disposition: 'failed' })])
    writeFileSync(join(commandLine.directory, '.env'), 'STRIPE_WEBHOOK_SECRET=whsec_test\n')
    const [text, json] = await Promise.all([
      commandLine.run(['doctor', ...place]),
      commandLine.run(['doctor', '--json', ...place]),
    ])

    expect(healthy).toMatchObject({ code: 0, stderr: '' })
    expect(healthy.stdout).toMatch(/^✓ \d+ checks, nothing found\. PostgreSQL 18\.\d+, durability T2\.\n$/)
    expect(text.code).toBe(1)
    expect(text.stdout).toMatch(/^✗ secrets {7}STRIPE_WEBHOOK_SECRET in \.env is a placeholder/)
    expect(text.stdout).toMatch(
      /\n! dead-letters {2}1 event of stripe failed for good\.\n {16}See why with "npx oncehook dead/,
    )
    expect(text.stdout).toMatch(/\n\n\d+ checks: 1 error, 1 warning\. /)
    expect(json.code).toBe(1)
    expect(JSON.parse(json.stdout)).toMatchObject({
      healthy: false,
      findings: [{ check: 'secrets' }, { check: 'dead-letters', severity: 'warning' }],
    })
    expect(text.stdout + json.stdout).not.toContain('whsec_test')
  })

  test('ends with 2 where the database cannot be asked', async ({ commandLine }) => {
    const words = ['doctor', '--database', 'postgres://ada:hush@127.0.0.1:1/app']
    const { code, stdout, stderr } = await commandLine.run(words)

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^oncehook: The database could not be used: .*\n$/)
    expect(stderr).not.toContain('hush')
  })
})
