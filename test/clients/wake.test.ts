import { describe, expect, test } from 'vitest'
import type { OpenClient } from './client-under-test.ts'
import { open as openDrizzle, openOverPostgresJs } from './open-drizzle.ts'
import { open as openKnex } from './open-knex.ts'
import { open as openKysely } from './open-kysely.ts'
import { open as openPg } from './open-pg.ts'
import { open as openPglite } from './open-pglite.ts'
import { open as openPostgresJs } from './open-postgres-js.ts'
import { open as openPrisma } from './open-prisma.ts'
import { open as openTypeorm } from './open-typeorm.ts'
import { createPlace } from './test-place.ts'

/** How it learns that another process has work for it, and how it answers when asked to listen. */
async function listenWith<Tx>(open: OpenClient<Tx>): Promise<{ readonly kind: string; readonly wokenTwice: boolean }> {
  const place = await createPlace()
  const { store, close } = await open(place)
  await store.migrate()
  let wakes = 0
  let onSecond: () => void = () => {}
  const second = new Promise<true>((resolve) => {
    onSecond = () => resolve(true)
  })
  const { kind, stop } = await store.listen(() => {
    wakes += 1
    if (wakes === 2) onSecond()
  })
  await store.wakeOthers()
  const wokenTwice = kind === 'listening' && (await second)
  await stop()
  await store.close()
  await close()
  await place.remove()
  return { kind, wokenTwice }
}

describe('a store is woken by other processes', () => {
  test('by way of node-postgres', async () => {
    expect(await listenWith(openPg)).toEqual({ kind: 'listening', wokenTwice: true })
  })

  test('by way of postgres.js', async () => {
    expect(await listenWith(openPostgresJs)).toEqual({ kind: 'listening', wokenTwice: true })
  })

  test('by way of Drizzle over node-postgres', async () => {
    expect(await listenWith(openDrizzle)).toEqual({ kind: 'listening', wokenTwice: true })
  })

  test('by way of Drizzle over postgres.js', async () => {
    expect(await listenWith(openOverPostgresJs)).toEqual({ kind: 'listening', wokenTwice: true })
  })

  test('by way of TypeORM', async () => {
    expect(await listenWith(openTypeorm)).toEqual({ kind: 'listening', wokenTwice: true })
  })
})

describe('a store asks the database now and then', () => {
  test('by way of Kysely', async () => {
    expect(await listenWith(openKysely)).toEqual({ kind: 'poll', wokenTwice: false })
  })

  test('by way of Knex', async () => {
    expect(await listenWith(openKnex)).toEqual({ kind: 'poll', wokenTwice: false })
  })

  test('by way of Prisma', async () => {
    expect(await listenWith(openPrisma)).toEqual({ kind: 'poll', wokenTwice: false })
  })
})

test('a store in this process has nobody to wait for', async () => {
  expect(await listenWith(openPglite)).toEqual({ kind: 'alone', wokenTwice: false })
})
