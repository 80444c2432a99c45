import type { Migration } from './migration.ts'

/** Effects that happen once, versions that only rise, changes that two events tell of, and messages on their way out. */
export const effectsAndOutbox: Migration = {
  version: 2,
  name: 'effects-and-outbox',
  isBreaking: false,
  statements: (schema) => [
    `
create table ${schema}.effects (
  environment text not null,
  key text not null,
  receipt_id bigint not null,
  handler text not null,
  result text,
  applied_at timestamptz not null default clock_timestamp(),
  primary key (environment, key)
)`,
    `create index effects_receipt on ${schema}.effects (receipt_id)`,

    // Versions are encoded so that their bytes sort as they do; "shown" is what people gave.
    `
create table ${schema}.versions (
  environment text not null,
  key text not null,
  kind text not null,
  version text collate "C" not null,
  shown text not null,
  receipt_id bigint not null,
  updated_at timestamptz not null default clock_timestamp(),
  primary key (environment, key)
)`,
    `create index versions_receipt on ${schema}.versions (receipt_id)`,

    `
create table ${schema}.changes (
  environment text not null,
  source text not null,
  handler text not null,
  key text not null,
  receipt_id bigint not null,
  primary key (environment, source, handler, key)
)`,

    `
create table ${schema}.outbox (
  id bigint generated always as identity primary key,
  environment text not null,
  target text not null,
  key text not null,
  message text not null,
  receipt_id bigint not null,
  source text not null,
  event_id text not null,
  status text not null default 'pending' check (status in ('pending', 'published', 'failed')),
  due_at timestamptz not null,
  attempts integer not null default 0,
  fence bigint,
  leased_by text,
  order_key text,
  last_error text,
  created_at timestamptz not null default clock_timestamp(),
  published_at timestamptz,
  constraint outbox_message unique (environment, target, key)
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 500)`,
    // By status and due time, never "id > last": a message that commits late has an id that was passed already.
    `create index outbox_due on ${schema}.outbox (environment, target, due_at) where status = 'pending'`,
    `create index outbox_receipt on ${schema}.outbox (receipt_id)`,
    `
create index outbox_order on ${schema}.outbox (environment, target, order_key, id)
where status = 'pending' and order_key is not null`,
    `
create unique index outbox_one_lease_per_order_key on ${schema}.outbox (environment, target, order_key)
where leased_by is not null and order_key is not null`,

    `alter table ${schema}.completions add column ending text not null default 'processed'`,
    // Not validated: every row that is there fits the narrower list too, and checking it would hold up deliveries.
    `
alter table ${schema}.receipts
  drop constraint receipts_status_check,
  add constraint receipts_status_check check (
    status in ('received', 'retrying', 'processed', 'failed', 'ignored', 'stale', 'same_change')
  ) not valid`,
  ],
}
