import type { Migration } from './migration.ts'

/** The ledger, the bodies, the queue and their logs. No foreign keys: each would cost every delivery a look-up. */
export const firstTables: Migration = {
  version: 1,
  name: 'first-tables',
  isBreaking: false,
  statements: (schema) => [
    `
create table ${schema}.receipts (
  id bigint generated always as identity primary key,
  environment text not null,
  source text not null,
  event_id text not null,
  type text not null,
  delivery_id text,
  object_id text,
  occurred_at timestamptz,
  received_at timestamptz not null default now(),
  status text not null check (status in ('received', 'retrying', 'processed', 'failed', 'ignored', 'stale')),
  attempts integer not null default 0,
  processed_at timestamptz,
  failed_at timestamptz,
  last_error text,
  body_hash bytea not null,
  body_id uuid not null,
  part text,
  order_key text,
  secret_index smallint,
  deliveries integer not null default 1,
  constraint receipts_event unique (environment, source, event_id)
) with (fillfactor = 85)`,
    // No index holds the status, so that completing an event touches no index at all.
    `create index receipts_object on ${schema}.receipts (environment, object_id) where object_id is not null`,
    `create index receipts_failed on ${schema}.receipts (environment, id) where failed_at is not null`,

    `
create table ${schema}.bodies (
  id uuid not null,
  stored_on date not null,
  content bytea not null,
  headers text not null,
  primary key (stored_on, id)
) partition by range (stored_on)`,
    // Not every PostgreSQL is built with lz4.
    `
do $do$ begin
  alter table ${schema}.bodies alter column content set compression lz4;
exception when others then null;
end $do$`,
    `create table ${schema}.bodies_default partition of ${schema}.bodies default`,

    `
create table ${schema}.queue (
  receipt_id bigint primary key,
  environment text not null,
  source text not null,
  due_at timestamptz not null,
  attempts integer not null default 0,
  fence bigint,
  leased_by text,
  order_key text,
  constraint queue_lease check ((fence is null) = (leased_by is null))
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 500, autovacuum_analyze_threshold = 500)`,
    `create index queue_due on ${schema}.queue (environment, due_at)`,
    `
create index queue_order on ${schema}.queue (environment, source, order_key, receipt_id)
where order_key is not null`,
    // Two claims at once can each believe to hold the only event of an order key: here one of them fails.
    `
create unique index queue_one_lease_per_order_key on ${schema}.queue (environment, source, order_key)
where leased_by is not null and order_key is not null`,
    `create sequence ${schema}.fences`,

    `
create table ${schema}.completions (
  receipt_id bigint not null,
  handler text not null,
  primary key (receipt_id, handler)
)`,

    // By event and not by receipt: an inline attempt that was rolled back has no receipt.
    `
create table ${schema}.attempts (
  environment text not null,
  source text not null,
  event_id text not null,
  id bigint generated always as identity,
  attempt integer not null,
  handler text not null,
  worker text not null,
  outcome text not null check (outcome in ('succeeded', 'failed', 'deferred', 'abandoned')),
  error text,
  started_at timestamptz not null,
  ended_at timestamptz not null,
  primary key (environment, source, event_id, id)
)`,

    `
create table ${schema}.deliveries (
  id bigint generated always as identity primary key,
  environment text not null,
  source text not null,
  event_id text,
  delivery_id text,
  kind text not null check (kind in ('duplicate', 'mutated', 'forged', 'malformed', 'not_allowed')),
  at timestamptz not null,
  status smallint not null,
  latency_ms double precision not null,
  detail text,
  secret_index smallint
)`,
    `create index deliveries_event on ${schema}.deliveries (environment, source, event_id) where event_id is not null`,

    // Every refusal is counted here; only the first of each minute have a row in deliveries.
    `
create table ${schema}.refusals (
  environment text not null,
  source text not null,
  kind text not null,
  minute timestamptz not null,
  count bigint not null,
  primary key (environment, source, kind, minute)
)`,

    `
create table ${schema}.replays (
  receipt_id bigint not null,
  id bigint generated always as identity,
  "by" text not null,
  why text not null,
  at timestamptz not null default now(),
  primary key (receipt_id, id)
)`,
  ],
}
