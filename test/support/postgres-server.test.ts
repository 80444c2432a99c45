import { Client } from 'pg'
import { describe, expect } from 'vitest'
import { test } from './database.ts'
import { startPostgresServer } from './postgres-server.ts'

describe('the PostgreSQL of the tests', () => {
  test('is a real server that flushes to disk', async ({ database }) => {
    const [row] = await database.query<{ fsync: string; commit: string }>(
      "select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit",
    )

    expect(row).toEqual({ fsync: 'on', commit: 'on' })
  })

  test('keeps what was committed through a kill and a restart', async () => {
    const server = await startPostgresServer({ settings: { max_connections: '7' } })
    await run(server.url, 'create table kept as select 1 as value')

    await server.kill()
    await server.restart()

    const [row] = await run(server.url, "select value, current_setting('max_connections') as connections from kept")
    expect(row).toEqual({ value: 1, connections: '7' })
    await server.stop()
  })
})

async function run(url: string, text: string): Promise<readonly unknown[]> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}
