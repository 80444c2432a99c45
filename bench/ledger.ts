import { createHash } from 'node:crypto'
import type { BenchDatabase } from './databases.ts'
import { eventBody, eventId, eventIdSql } from './stripe-events.ts'

const rowsPerStatement = 500_000

/** Fills the ledger with events that were processed over the last year, in the order of their serial numbers. */
export async function fillLedger(database: BenchDatabase, rows: number, say: (what: string) => void): Promise<void> {
  await fillAged(database, { first: 0, rows, fromDays: 365, toDays: 0 }, say)
  await database.query('vacuum (analyze) oncehook.receipts')
}

/** So many receipts that are past their days, with the log of their handlers, before a tenth as many that are not. */
export async function fillPast(database: BenchDatabase, rows: number, say: (what: string) => void): Promise<void> {
  await fillAged(database, { first: 0, rows, fromDays: 200, toDays: 70 }, say)
  await fillAged(database, { first: rows, rows: youngRows(rows), fromDays: 50, toDays: 1 }, say)
  await database.query(attemptsSql)
  await database.query('vacuum (analyze) oncehook.receipts, oncehook.attempts')
}

/** How many of them stay. */
export function youngRows(pastRows: number): number {
  return pastRows / 10
}

export type AgedRows = {
  /** The first serial number. */
  readonly first: number
  readonly rows: number
  readonly fromDays: number
  readonly toDays: number
}

/** In the order of their age, the oldest first. */
export async function fillAged(
  database: BenchDatabase,
  { first, rows, fromDays, toDays }: AgedRows,
  say: (what: string) => void,
): Promise<void> {
  const days = `${fromDays} - (serial - ${first})::float8 * ${(fromDays - toDays) / rows}`
  for (let start = first; start < first + rows; start += rowsPerStatement) {
    say(`filling the ledger, ${(start - first).toLocaleString('en')} of ${rows.toLocaleString('en')}`)
    const last = Math.min(first + rows, start + rowsPerStatement) - 1
    await database.query(receiptsSql(`now() - interval '1 day' * (${days})`), [start, last])
  }
}

/** Puts some events into the ledger, or gives those that are there the hash of the body that will be sent. */
export async function knowEvents(database: BenchDatabase, serials: readonly number[]): Promise<void> {
  const ids = serials.map(eventId)
  const hashes = serials.map((serial) => createHash('sha256').update(eventBody(serial)).digest())
  await database.query(knowSql, [ids, hashes])
}

function receiptsSql(at: string): string {
  return `
    insert into oncehook.receipts (environment, source, event_id, type, object_id, occurred_at, received_at, status, attempts,
      processed_at, body_hash, body_id)
    select 'default', 'stripe', ${eventIdSql('serial')}, 'invoice.paid', 'in_1' || lpad(serial::text, 9, '0') || '2eZvKYlo2C',
      ${at}, ${at}, 'processed', 1, ${at}, sha256(serial::text::bytea), gen_random_uuid()
    from generate_series($1::int, $2::int) as serial`
}

const attemptsSql = `
  insert into oncehook.attempts (environment, source, event_id, attempt, handler, worker, outcome, started_at, ended_at)
  select environment, source, event_id, 1, 'stripe/*', 'a worker', 'succeeded', received_at, processed_at
  from oncehook.receipts`

const knowSql = `
  insert into oncehook.receipts (environment, source, event_id, type, status, attempts, processed_at, body_hash, body_id)
  select 'default', 'stripe', id, 'invoice.paid', 'processed', 1, now(), hash, gen_random_uuid()
  from unnest($1::text[], $2::bytea[]) as known (id, hash)
  on conflict (environment, source, event_id) do update set body_hash = excluded.body_hash`
