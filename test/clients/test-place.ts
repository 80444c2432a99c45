import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MakeStore } from '../store/store-under-test.ts'
import { borrowTestDatabase, createTestDatabase, type TestDatabase } from '../support/database.ts'
import type { OpenClient, Place } from './client-under-test.ts'

export type TestPlace = Place & {
  readonly database: TestDatabase
  readonly remove: () => Promise<void>
}

export async function createPlace(): Promise<TestPlace> {
  return placeAt(await createTestDatabase())
}

function placeAt(database: Awaited<ReturnType<typeof createTestDatabase>>): TestPlace {
  const directory = mkdtempSync(join(tmpdir(), 'oncehook-client-'))
  return {
    url: database.url,
    schema: database.schema,
    directory,
    database,
    remove: async () => {
      await database.drop()
      rmSync(directory, { recursive: true })
    },
  }
}

/** For the promises that every store is held to. */
export function storeOf<Tx>(open: OpenClient<Tx>): MakeStore<Tx> {
  return async () => {
    const place = placeAt(await borrowTestDatabase())
    const { store, execute, nested, forgivesOnlyNested, close } = await open(place)
    return {
      store,
      schema: place.schema,
      query: place.database.query,
      execute,
      ...(forgivesOnlyNested && nested !== undefined && { savepoint: nested }),
      dispose: async () => {
        await store.close()
        await close()
        await place.remove()
      },
    }
  }
}
