import { Client } from 'pg'
import type { FreeSchema, FreeSchemas } from './schema-shelf.ts'

type Query = <Row = Record<string, unknown>>(text: string, values?: readonly unknown[]) => Promise<readonly Row[]>

/** Makes the place where the files of a run leave schemas for each other. */
export async function makeSharedShelf(databaseUrl: string, place: string): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    await client.query(`create schema "${place}"`)
    await client.query(`create table "${place}".schemas (name text primary key, snapshot json not null)`)
  })
}

/** Drops what is left there, and the place. */
export async function removeSharedShelf(databaseUrl: string, place: string): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>(`select name from "${place}".schemas`)
    // One by one: each of many tables is locked until the transaction ends, and the server has room for only so many.
    for (const { name } of rows) await client.query(`drop schema if exists "${name}" cascade`)
    await client.query(`drop schema "${place}" cascade`)
  })
}

/** Schemas that all files of a run share: whoever takes one has it alone. */
export function sharedShelf(query: Query, place: string): FreeSchemas {
  return {
    async take() {
      const [found] = await query<{ name: string; snapshot: FreeSchema['snapshot'] }>(
        `delete from "${place}".schemas
         where name = (select name from "${place}".schemas limit 1 for update skip locked)
         returning name, snapshot`,
      )
      return found && { schema: found.name, snapshot: found.snapshot }
    },
    async put({ schema, snapshot }) {
      await query(`insert into "${place}".schemas values ($1, $2)`, [schema, JSON.stringify(snapshot)])
    },
  }
}

async function withClient(databaseUrl: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query('set client_min_messages = warning')
    await work(client)
  } finally {
    await client.end()
  }
}
