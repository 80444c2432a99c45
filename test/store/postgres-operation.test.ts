import { Pool } from 'pg'
import { describe, expect } from 'vitest'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { startPostgresServer } from '../support/postgres-server.ts'
import { until } from '../support/until.ts'
import { terminateAll, test } from './postgres-test.ts'
import { codeOf, newReceipt } from './store-under-test.ts'

describe('waking other processes', () => {
  test('reaches a listener, also after its connection was lost', async ({ database, store }) => {
    let wakes = 0
    const listening = await store.listen(() => {
      wakes += 1
    })
    expect(listening.kind).toBe('listening')

    const beforeLoss = wakes
    await terminateAll(database)
    await until(
      () => wakes,
      (count) => count > beforeLoss,
    )
    const beforeWake = wakes
    await until(
      async () => {
        await store.wakeOthers()
        return wakes
      },
      (count) => count > beforeWake,
    )

    await listening.stop()
  })

  test('falls back to asking where the pool has no connection to spare', async ({ database }) => {
    const pool = new Pool({ connectionString: database.url, max: 1 })
    const listening = await postgresStore(pool, { schema: database.schema }).listen(() => {})

    expect(listening.kind).toBe('poll')
    await pool.end()
  })
})

describe('what the store says of its durability', () => {
  test('is the second tier for an ordinary server', async ({ store }) => {
    const report = await store.durability()

    expect(report).toMatchObject({ tier: 'T2', warnings: [] })
  })

  test('warns of settings that lose acknowledged events', async () => {
    const server = await startPostgresServer({ settings: { fsync: 'off', synchronous_commit: 'off' } })
    const store = postgresStore(server.url)

    const report = await store.durability()

    expect(report.tier).toBe('T2-')
    expect(report.warnings).toHaveLength(2)
    await store.close()
    await server.stop()
  })
})

describe('a server that is killed', () => {
  test('loses nothing that was recorded, and is used again once it is back', async () => {
    const server = await startPostgresServer()
    const store = postgresStore(server.url, { connectionTimeoutSeconds: 1 })
    await store.migrate()
    const [first] = await store.recordReceipts([newReceipt({ eventId: 'evt_1' })])

    await server.kill()
    expect(await codeOf(store.recordReceipts([newReceipt()]))).toBe('ONCEHOOK_STORE_UNAVAILABLE')
    await server.restart()

    const [again] = await store.recordReceipts([newReceipt({ eventId: 'evt_1' })])
    expect(again).toMatchObject({ kind: 'duplicate', receiptId: first?.receiptId })
    await store.close()
    await server.stop()
  })
})

describe('a standby that does not answer', () => {
  test('leaves it unknown whether a commit counts, when someone ends the wait', async () => {
    const server = await startPostgresServer()
    const store = postgresStore(server.url)
    await store.migrate()
    const pool = new Pool({ connectionString: server.url })
    // Its connections may still be closing when the server stops.
    pool.on('error', () => {})
    await pool.query("alter system set synchronous_standby_names = 'gone'")
    await pool.query('select pg_reload_conf()')
    await until(
      async () => (await pool.query('show synchronous_standby_names')).rows[0].synchronous_standby_names,
      (names) => names === 'gone',
    )
    // Processes of the server itself may wait for the standby too, so it is ended until ours has come back.
    const endWait = async (waiting: Promise<unknown>): Promise<unknown> => {
      const settled = waiting.then(() => true)
      return until(async () => {
        await pool.query("select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'")
        return Promise.race([settled, Promise.resolve(false)])
      }, Boolean)
    }

    const recording = codeOf(store.recordReceipts([newReceipt()]))
    await endWait(recording)
    expect(await recording).toBe('ONCEHOOK_COMMIT_UNKNOWN')

    const transaction = codeOf(store.transaction((open) => open.recordReceipt(newReceipt())))
    await endWait(transaction)
    expect(await transaction).toBe('ONCEHOOK_COMMIT_UNKNOWN')

    expect((await store.durability()).tier).toBe('T3')
    await store.close()
    await pool.end()
    await server.stop()
  })
})
