import { describe, expect } from 'vitest'
import type { DatastoreValue } from '../../src/index.ts'
import { test } from './command-line.ts'

describe('data', () => {
  test('sets, lists, reads and deletes values of the store that a receiver owns', async ({ prepared: commandLine }) => {
    const receiver = commandLine.start(['start', '--no-demo', '--port', '0', '--json'])
    await receiver.until(/"kind":"started"/)
    // Fields that look like times to the protocol between processes, and what a terminal must not be given.
    const value = { at: 'not a time', $bytes: 'AA==', text: '\u001b[31m' }

    const stored = await commandLine.run(['data', 'set', 'carts', 'c1', JSON.stringify(value), '--ttl', '24h'])
    const again = await commandLine.run(['data', 'set', 'carts', 'c1', '1', '--if-absent'])
    const [got, shown, table, namespaces] = await Promise.all([
      commandLine.json<DatastoreValue>(['data', 'get', 'carts', 'c1']),
      commandLine.run(['data', 'get', 'carts', 'c1']),
      commandLine.run(['data', 'list', 'carts', '--prefix', 'c']),
      commandLine.run(['data', 'list']),
    ])
    const late = await commandLine.run(['data', 'set', 'carts', 'c1', '2', '--if-version', String(got.version + 1)])
    const wrong = await commandLine.run(['data', 'set', 'carts', 'c1', 'open'])
    const deleted = await commandLine.run(['data', 'delete', 'carts', 'c1'])
    const gone = await commandLine.run(['data', 'get', 'carts', 'c1'])

    expect(stored.stdout).toMatch(/^Stored as version \d+, until /)
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('it was left alone') as string })
    expect(got.value).toEqual(value)
    expect(shown.stdout).toBe(`${JSON.stringify(value)}\n`)
    expect(table.stdout).toMatch(/^KEY +VALUE +VERSION +EXPIRES +CHANGED\nc1 +\{"at":"not a time"/)
    expect(namespaces.stdout).toMatch(/^NAMESPACE +KEYS\ncarts +1\n$/)
    expect(late).toMatchObject({ code: 1, stderr: expect.stringContaining('any more') as string })
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('is not JSON') as string })
    expect(deleted.stdout).toBe('Deleted.\n')
    expect(gone.code).toBe(1)
    receiver.kill('SIGINT')
    await receiver.ended
  })
})
