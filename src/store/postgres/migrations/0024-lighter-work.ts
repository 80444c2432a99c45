import type { Migration } from './migration.ts'

/**
 * What a worker asks for costs the same however long the queue is, and completing an event touches no index.
 * - Claiming walks along the due times. A plan for an unknown number of rows would rather have read and sorted the whole queue.
 * - A group of receipts that came together stands in the same pages, and is completed in the same transaction: all of their new versions
 *   have to fit beside the old ones, or each goes to another page, with a new entry in every index.
 * - Completing many at the end of a transaction, where nobody is left to look at the answer: a lost lease is an error, which commits nothing.
 */
export const lighterWork: Migration = {
  version: 24,
  name: 'lighter-work',
  isBreaking: false,
  statements: (schema) => [
    `alter table ${schema}.receipts set (fillfactor = 50)`,
    `alter function ${schema}.claim_events(text, text[], text, int, float8, bigint[]) set enable_bitmapscan = off`,
    `alter function ${schema}.claim_events(text, text[], text, int, float8, bigint[]) set enable_sort = off`,
    finishReceiptsSql(schema),
  ],
}

const finishReceiptsSql = (schema: string): string => `
create function ${schema}.finish_receipts(
  given_ids bigint[], given_fences bigint[], run_attempts int[], run_handlers text[], run_workers text[],
  run_outcomes text[], run_errors text[], took_milliseconds float8[], given_endings text[]
)
returns void
language plpgsql
as $function$
declare
  held bigint[];
  lost bigint;
begin
  held := array(select ${schema}.complete_receipts(
    given_ids, given_fences, run_attempts, run_handlers, run_workers, run_outcomes, run_errors, took_milliseconds, given_endings
  ));
  if cardinality(held) < cardinality(given_ids) then
    select given.id into lost from unnest(given_ids) as given (id) where given.id <> all (held) limit 1;
    raise exception 'The lease of receipt % is lost.', lost using errcode = 'OHLL0', detail = lost::text;
  end if;
end
$function$`
