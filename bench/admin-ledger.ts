import type { BenchDatabase } from './databases.ts'
import { eventIdSql } from './stripe-events.ts'

const rowsPerStatement = 250_000
const days = 90
/** The newest ones, which are still to be done. */
const pendingRows = 1500

/** Where in it something is to be looked for. */
export type AdminLedger = {
  /** The receipt to which most has happened. */
  readonly busiestId: string
  /** The middle of its time. */
  readonly middleAt: string
}

/** A type so rare that a list of it has to look far back. */
export const rareType = 'account.closed'

/** An id that is nowhere in the ledger. */
export const unknownEvent = 'evt_1000000000000000000nowhere'

/**
 * A ledger of so many receipts, as several sources would have left it: many types, every status, duplicates, events that took several
 * attempts, effects and messages, some dead letters, and one event to which very much happened.
 */
export async function fillAdminLedger(
  database: BenchDatabase,
  rows: number,
  say: (what: string) => void,
): Promise<AdminLedger> {
  for (let first = 0; first < rows; first += rowsPerStatement) {
    say(`filling the ledger, ${first.toLocaleString('en')} of ${rows.toLocaleString('en')}`)
    await database.query(receiptsSql, [first, Math.min(rows, first + rowsPerStatement) - 1, rows])
  }
  for (const [what, text] of Object.entries(othersSql)) {
    say(`filling the ledger: ${what}`)
    await database.query(text)
  }
  const busiest = await database.number(`select max(id) from oncehook.receipts where status = 'processed'`)
  for (const text of muchHappenedSql) await database.query(text, [busiest])
  say('vacuuming')
  await database.query('vacuum (analyze)')
  return { busiestId: String(busiest), middleAt: new Date(Date.now() - (days / 2) * 86_400_000).toISOString() }
}

/** A number from 0 to 1 that is the same for the same serial number every time, and another for every salt. */
const drawn = (salt: number): string => `(hashint8extended(serial, ${salt}) & 1048575) / 1048576.0`

const sourcesSql = `case when ${drawn(1)} < 0.5 then 'stripe' when ${drawn(1)} < 0.75 then 'github'
  when ${drawn(1)} < 0.9 then 'shopify' when ${drawn(1)} < 0.97 then 'slack' else 'billing' end`

/** Of every source the first ones are frequent. */
const typesSql = `(case source
    when 'stripe' then '{invoice.paid,customer.updated,invoice.created,charge.succeeded,payment_intent.succeeded,
      customer.subscription.updated,checkout.session.completed,charge.refunded,payment_intent.payment_failed,payout.paid}'
    when 'github' then '{push,pull_request.synchronize,check_run.completed,issues.opened,issue_comment.created,release.published}'
    when 'shopify' then '{orders/updated,products/update,orders/create,customers/update,refunds/create}'
    when 'slack' then '{message,reaction_added,app_mention}'
    else '{invoice.paid,credit.granted}' end)::text[]`

/** The newest wait, some after a failed attempt. Of all others nearly every one went well. */
const statusSql = `case
    when serial >= $3::int - ${pendingRows} then case when ${drawn(3)} < 0.3 then 'retrying' else 'received' end
    when ${drawn(3)} < 0.006 then 'failed' when ${drawn(3)} < 0.03 then 'ignored' when ${drawn(3)} < 0.034 then 'stale'
    when ${drawn(3)} < 0.036 then 'same_change' else 'processed' end`

const errorsSql = `('{connect ECONNREFUSED 10.0.0.7:5432,Timeout after 30000 ms,Customer cus_48213 is not known,
  Cannot read properties of undefined (reading ''amount''),The answer was 502,deadlock detected}'::text[])[1 + (serial % 6)]`

const receiptsSql = `
  insert into oncehook.receipts (environment, source, event_id, type, delivery_id, object_id, occurred_at, received_at, status,
    attempts, processed_at, failed_at, last_error, body_hash, body_id, deliveries)
  select 'default', source, ${eventIdSql('serial')},
    case when serial % ($3::int / 12) = 7 then '${rareType}'
      else types[1 + floor(array_length(types, 1) * power(${drawn(2)}, 2))::int] end,
    gen_random_uuid()::text, case when ${drawn(4)} < 0.8 then 'in_' || serial / 3 end, at, at, status,
    case when status in ('received', 'ignored') then 0 when status = 'failed' then 5 when ${drawn(5)} < 0.03 then 2 else 1 end,
    case when status in ('processed', 'stale', 'same_change') then at + interval '80 ms' end,
    case when status = 'failed' then at + interval '1 hour' end,
    case when status in ('failed', 'retrying') then ${errorsSql} end,
    sha256(serial::text::bytea), gen_random_uuid(), case when ${drawn(6)} < 0.06 then 2 + (serial % 3) else 1 end
  from (
    select serial, source, ${typesSql} as types, ${statusSql} as status,
      now() - interval '1 day' * (${days} * (1 - serial::float8 / $3::int)) as at
    from (select serial, ${sourcesSql} as source from generate_series($1::int, $2::int) as serial) as chosen
  ) as events`

/** What else there is of receipts, by the name that people see while it is made. */
const othersSql: Readonly<Record<string, string>> = {
  queue: `
    insert into oncehook.queue (receipt_id, environment, source, due_at, attempts)
    select id, environment, source, received_at + interval '1 minute' * attempts, attempts
    from oncehook.receipts where status in ('received', 'retrying')`,
  attempts: `
    insert into oncehook.attempts (environment, source, event_id, attempt, handler, worker, outcome, error, started_at, ended_at)
    select environment, source, event_id, attempt, source || '/*', 'a worker',
      case when attempt < attempts or status in ('failed', 'retrying') then 'failed' else 'succeeded' end,
      case when attempt < attempts or status in ('failed', 'retrying') then coalesce(last_error, 'The answer was 503') end,
      received_at + interval '1 minute' * (attempt - 1), received_at + interval '1 minute' * (attempt - 1) + interval '70 ms'
    from oncehook.receipts cross join lateral generate_series(1, attempts) as attempt`,
  deliveries: `
    insert into oncehook.deliveries (environment, source, event_id, delivery_id, kind, at, status, latency_ms)
    select environment, source, event_id, gen_random_uuid()::text, 'duplicate', received_at + interval '1 hour' * copy, 200, 3
    from oncehook.receipts cross join lateral generate_series(1, deliveries - 1) as copy`,
  refusals: `
    insert into oncehook.deliveries (environment, source, kind, at, status, latency_ms, detail)
    select environment, source, 'forged', received_at, 401, 1, 'signature_mismatch' from oncehook.receipts where id % 100 = 0`,
  effects: `
    insert into oncehook.effects (environment, key, receipt_id, handler, applied_at)
    select environment, 'order-' || id || '-' || number, id, source || '/*', processed_at
    from oncehook.receipts cross join lateral generate_series(1, case when id % 20 = 0 then 3 else 1 end) as number
    where status = 'processed' and id % 5 < 2`,
  messages: `
    insert into oncehook.outbox (environment, target, key, message, receipt_id, source, event_id, status, due_at, attempts, created_at)
    select environment, case when id % 3 = 0 then 'mail' else 'search' end, 'message-' || id, '{"order":1}', id, source, event_id,
      case when id % 20000 = 0 then 'failed' when id % 5000 = 0 then 'pending' else 'published' end, received_at, 1, processed_at
    from oncehook.receipts where status = 'processed' and id % 20 = 0`,
  traffic: `
    insert into oncehook.traffic_minutes (environment, minute, source, accepted, duplicates, refused, succeeded, failed, lag_sum,
      lag_count)
    select 'default', date_trunc('minute', now()) - interval '1 minute' * number, source, 8, 1, 0, 8, 0, 640, 8
    from generate_series(0, 3 * 24 * 60 - 1) as number
    cross join unnest('{stripe,github,shopify,slack,billing}'::text[]) as source`,
}

/** One event that came a thousand times again, with a hundred attempts, effects and messages. */
const muchHappenedSql: readonly string[] = [
  `insert into oncehook.deliveries (environment, source, event_id, delivery_id, kind, at, status, latency_ms)
   select environment, source, event_id, copy::text, 'duplicate', received_at, 200, 3
   from oncehook.receipts cross join generate_series(1, 1000) as copy where id = $1::bigint`,
  `insert into oncehook.attempts (environment, source, event_id, attempt, handler, worker, outcome, error, started_at, ended_at)
   select environment, source, event_id, attempt, 'slow', 'a worker', 'failed', 'The answer was 503', received_at, received_at
   from oncehook.receipts cross join generate_series(1, 100) as attempt where id = $1::bigint`,
  `insert into oncehook.effects (environment, key, receipt_id, handler)
   select 'default', 'much-' || number, $1::bigint, 'slow' from generate_series(1, 100) as number`,
  `insert into oncehook.outbox (environment, target, key, message, receipt_id, source, event_id, status, due_at)
   select 'default', 'mail', 'much-' || number, '{}', $1::bigint, 'stripe', 'much', 'published', now()
   from generate_series(1, 100) as number`,
]
