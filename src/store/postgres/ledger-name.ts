import type { Database } from './database.ts'

/**
 * The start of the server changes with every restore, whichever way it is done, and with every fail-over; the file of the table changes when
 * it is emptied or made anew. A plain restart changes the name too: then only what was remembered is lost.
 */
const ledgerNameSql = (schema: string): string => `
  select concat_ws('/', extract(epoch from pg_postmaster_start_time())::text,
    (select oid from pg_database where datname = current_database())::text,
    pg_relation_filenode('${schema}.receipts'::regclass)::text) as name`

/** Tells this ledger from any other, and from itself before it was restored or emptied. */
export async function readLedgerName({ query, schema }: Database): Promise<string> {
  const [row] = await query<{ readonly name: string }>(ledgerNameSql(schema))
  if (row === undefined) throw new TypeError('The database did not answer with the name of its ledger.')
  return row.name
}
