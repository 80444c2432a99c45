import { createHash } from 'node:crypto'
import type { BenchDatabase } from './databases.ts'
import { eventBody, eventId, eventIdSql } from './stripe-events.ts'

const rowsPerStatement = 500_000

/** Fills the ledger with events that were processed over the last year, in the order of their serial numbers. */
export async function fillLedger(database: BenchDatabase, rows: number, say: (what: string) => void): Promise<void> {
  for (let first = 0; first < rows; first += rowsPerStatement) {
    say(`filling the ledger, ${first.toLocaleString('en')} of ${rows.toLocaleString('en')}`)
    const last = Math.min(rows, first + rowsPerStatement) - 1
    await database.query(fillSql(rows), [first, last])
  }
  await database.query('vacuum (analyze) oncehook.receipts')
}

/** Puts some events into the ledger, or gives those that are there the hash of the body that will be sent. */
export async function knowEvents(database: BenchDatabase, serials: readonly number[]): Promise<void> {
  const ids = serials.map(eventId)
  const hashes = serials.map((serial) => createHash('sha256').update(eventBody(serial)).digest())
  await database.query(knowSql, [ids, hashes])
}

function fillSql(rows: number): string {
  const at = `now() - interval '1 year' * (1 - serial::float8 / ${rows})`
  return `
    insert into oncehook.receipts (environment, source, event_id, type, object_id, occurred_at, received_at, status, attempts,
      processed_at, body_hash, body_id)
    select 'default', 'stripe', ${eventIdSql('serial')}, 'invoice.paid', 'in_1' || lpad(serial::text, 9, '0') || '2eZvKYlo2C',
      ${at}, ${at}, 'processed', 1, ${at}, sha256(serial::text::bytea), gen_random_uuid()
    from generate_series($1::int, $2::int) as serial`
}

const knowSql = `
  insert into oncehook.receipts (environment, source, event_id, type, status, attempts, processed_at, body_hash, body_id)
  select 'default', 'stripe', id, 'invoice.paid', 'processed', 1, now(), hash, gen_random_uuid()
  from unnest($1::text[], $2::bytea[]) as known (id, hash)
  on conflict (environment, source, event_id) do update set body_hash = excluded.body_hash`
