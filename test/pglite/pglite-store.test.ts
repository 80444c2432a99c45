import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { pgliteStore } from '../../src/store/pglite/pglite-store.ts'
import { codeOf, limits, newReceipt } from '../store/store-under-test.ts'

let scratch: string

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'oncehook-store-'))
})

afterAll(() => rmSync(scratch, { recursive: true, force: true }))

describe('a store in a directory', () => {
  test('does nothing before its first use, and nothing when it is closed unused', async () => {
    const directory = join(scratch, 'unused')

    await pgliteStore(directory).close()

    expect(existsSync(directory)).toBe(false)
  })

  test('keeps what it recorded, and lets the next one in once it is closed', async () => {
    const directory = join(scratch, 'inbox')
    const first = pgliteStore(directory)
    const second = pgliteStore(directory)
    const receipt = newReceipt()
    // Several first uses at once open it once.
    await Promise.all([first.migrate(), first.durability(), first.durability()])
    const [recorded] = await first.recordReceipts([receipt])
    const refused = await codeOf(second.migrate())
    const { tier, warnings } = await first.durability()
    await first.close()

    const [again] = await second.recordReceipts([receipt])
    await second.close()

    expect(recorded).toMatchObject({ kind: 'first' })
    expect(refused).toBe('ONCEHOOK_STORE_IN_USE')
    expect({ tier, warnings }).toEqual({ tier: 'T1+', warnings: [] })
    expect(again).toMatchObject({ kind: 'duplicate' })
    expect(readdirSync(join(directory, 'oncehook-lock'))).toEqual(['2.free'])
    expect(await codeOf(first.counts('test'))).toBe('ONCEHOOK_STOPPED')
  })

  test('can be tried again after it could not be opened', async () => {
    const directory = join(scratch, 'again')
    mkdirSync(join(directory, 'database'), { recursive: true })
    writeFileSync(join(directory, 'database', 'diary.txt'), '')
    const store = pgliteStore(directory)
    expect(await codeOf(store.migrate())).toBe('ONCEHOOK_INVALID_OPTIONS')

    rmSync(join(directory, 'database', 'diary.txt'))

    await expect(store.migrate()).resolves.toMatchObject({ from: 0 })
    await store.close()
  })

  test.for(['', 'idb://inbox', 'postgres://localhost/inbox'])('is refused for %j, which is no directory', (where) => {
    expect(() => pgliteStore(where)).toThrow('is not a directory')
  })
})

describe('a store in memory', () => {
  const store = pgliteStore()

  beforeAll(() => store.migrate())
  afterAll(store.close)

  test('says that it forgets', async () => {
    const { tier, warnings } = await store.durability()

    expect(tier).toBe('T1')
    expect(warnings[0]).toContain('in memory')
  })

  test('is queued by default, with one transaction at a time and nobody to wake', async () => {
    const { kind, stop } = await store.listen(() => {})
    await stop()

    expect([store.defaultMode, store.transactionSlots, kind]).toEqual(['queued', 1, 'alone'])
  })

  test('goes on after a handler that never settles, without what that one wrote', async () => {
    await store.database().exec('create table orders (id integer)')
    const handler = store.transaction((transaction) =>
      transaction.runHandler(
        async (tx) => {
          await tx.query('insert into orders values (1)')
          return await new Promise<never>(() => {})
        },
        limits({ timeoutSeconds: 0.05 }),
      ),
    )

    expect(await codeOf(handler)).toBe('ONCEHOOK_HANDLER_TIMED_OUT')
    expect((await store.database().query('select id from orders')).rows).toEqual([])
  })

  test('refuses its database to a handler at once', async () => {
    const handler = store.transaction((transaction) =>
      transaction.runHandler(() => store.database().query('select 1'), limits()),
    )

    await expect(handler).rejects.toThrow('Inside a handler use its tx')
  })

  test.for([
    ['query', 'commit'],
    ['exec', 'select 1; rollback'],
  ] as const)('refuses a handler that ends its transaction by %s', async ([method, text]) => {
    const handler = store.transaction((transaction) => transaction.runHandler(async (tx) => tx[method](text), limits()))

    expect(await codeOf(handler)).toBe('ONCEHOOK_HANDLER_ENDED_TRANSACTION')
  })
})

test('without the package, the store says what to install', async () => {
  vi.doMock('@electric-sql/pglite', () => {
    throw new Error('Cannot find package')
  })
  const store = pgliteStore()

  await expect(store.migrate()).rejects.toThrow('npm install @electric-sql/pglite')
  vi.doUnmock('@electric-sql/pglite')
})
