/** Receipts with nothing left to be done. All others stay, however old they are. */
export const finishedSql = "('processed', 'ignored', 'stale', 'same_change')"

/** The day of a time, as bodies are sorted by it. */
export const dayOfSql = (time: string): string => `(${time} at time zone 'UTC')::date`

/** The time before which something is past its days. */
export const daysAgoSql = (days: string): string => `(clock_timestamp() - make_interval(secs => ${days} * 86400))`

/**
 * Receipts that need their bodies although their time is over: in work, dead, or held. Read from the lists of these, which are short,
 * and never from the ledger. The range is of receipt ids.
 */
export const needySql = (schema: string, from: string, to: string): string => `
  select queue.receipt_id as id from ${schema}.queue where queue.receipt_id between ${from} and ${to}
  union
  select receipts.id from ${schema}.receipts where receipts.failed_at is not null and receipts.id between ${from} and ${to}
  union
  select holds.receipt_id from ${schema}.holds where holds.released_at is null and holds.receipt_id between ${from} and ${to}`

/** No statement takes this long: those that could not see the last keys have ended. Null if there are none. */
export const areKeysSettledSql = (rule: string): string =>
  `${rule}.keys_kept_at < clock_timestamp() - interval '10 minutes'`
