import { join } from 'node:path'
import { holdDatabase } from '../../src/store/pglite/database-holder.ts'
import { createPgliteClient } from '../../src/store/pglite/pglite-client.ts'
import type { PGliteInstance } from '../../src/store/pglite/pglite-types.ts'

/**
 * Opens the directory it is given and writes row after row until it is killed. Each line it prints is a promise:
 * `open`, and then the number of each row that was acknowledged. Every other row goes through a transaction.
 * `plain` is PGlite as it comes, for comparison.
 */
const [kind, directory = '', first = '1', checkpointEvery = '0'] = process.argv.slice(2)
const client = createPgliteClient(
  holdDatabase(
    kind === 'plain' ? { kind: 'instance', instance: await plainPglite() } : { kind: 'directory', directory },
  ),
)

async function plainPglite(): Promise<PGliteInstance> {
  const { PGlite } = await import('@electric-sql/pglite')
  return new PGlite(join(directory, 'database'))
}

try {
  await client.database().exec('create table if not exists written (number integer primary key, filler text)')
  process.stdout.write('open\n')
  for (let number = Number(first); ; number += 1) {
    const insert = ['insert into written values ($1, $2)', [number, 'x'.repeat(500)]] as const
    if (number % 2 === 0) await client.query(...insert)
    else await client.transaction(async (connection) => await connection.query(...insert))
    process.stdout.write(`${number}\n`)
    if (Number(checkpointEvery) > 0 && number % Number(checkpointEvery) === 0)
      await client.database().exec('checkpoint')
  }
} catch (error) {
  process.stdout.write(`failed ${error instanceof Error && 'code' in error ? String(error.code) : String(error)}\n`)
  process.exitCode = 1
}
