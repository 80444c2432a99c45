import { Client } from 'pg'
import type { PostgresServer } from '../test/support/postgres-server.ts'

/** A database of its own for one run, so that every run begins with empty tables. */
export type BenchDatabase = {
  readonly name: string
  readonly url: string
  readonly query: (text: string, values?: readonly unknown[]) => Promise<readonly Readonly<Record<string, unknown>>[]>
  /** The only value of the only row, as a number. */
  readonly number: (text: string) => Promise<number>
  readonly drop: () => Promise<void>
}

let databases = 0

/** It has a table for effects, without any key: a second effect of an event would be seen. */
export async function createDatabase(server: PostgresServer): Promise<BenchDatabase> {
  databases += 1
  const name = `bench_${databases}`
  await asAdministrator(server, `create database ${name}`)
  const url = server.url.replace(/\/postgres$/, `/${name}`)
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query('create table effects (event_id text not null, amount bigint not null)')
  const query: BenchDatabase['query'] = async (text, values = []) => (await client.query(text, [...values])).rows
  return {
    name,
    url,
    query,
    async number(text) {
      const [row = {}] = await query(text)
      return Number(Object.values(row)[0])
    },
    async drop() {
      await client.end()
      await asAdministrator(server, `drop database ${name} with (force)`)
    },
  }
}

/** Every run begins right after a checkpoint, so that none has to pay for the one before it. */
export async function checkpoint(server: PostgresServer): Promise<void> {
  await asAdministrator(server, 'checkpoint')
}

/** One statement from a connection to another database, so that it is counted there. */
export async function asAdministrator(
  server: PostgresServer,
  text: string,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new Client({ connectionString: server.url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}
