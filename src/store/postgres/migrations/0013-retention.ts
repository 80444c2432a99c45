import type { Migration } from './migration.ts'

/** How long what is kept, what must stay longer, and how the ledger grew. Nothing here costs a delivery anything. */
export const retention: Migration = {
  version: 13,
  name: 'retention',
  isBreaking: false,
  statements: (schema) => [
    // In the receipt itself: whoever removes it has locked it, and sees a hold that came a moment before.
    `alter table ${schema}.receipts add column held_at timestamptz`,
    `
create table ${schema}.holds (
  receipt_id bigint not null,
  id bigint generated always as identity,
  "by" text not null,
  why text not null,
  at timestamptz not null default clock_timestamp(),
  released_by text,
  released_why text,
  released_at timestamptz,
  primary key (receipt_id, id)
)`,
    `create index holds_active on ${schema}.holds (receipt_id) where released_at is null`,

    `
create table ${schema}.retention (
  environment text not null,
  source text not null,
  keep_days double precision not null,
  keep_body_days double precision not null,
  pruned_to bigint not null default 0,
  bodies_pruned_to bigint not null default 0,
  updated_at timestamptz not null default clock_timestamp(),
  primary key (environment, source)
)`,

    // Receipts that were passed by because they could not go. Without this list they would be looked for again and again, or never.
    `
create table ${schema}.overdue (
  environment text not null,
  receipt_id bigint not null,
  primary key (environment, receipt_id)
)`,

    // What must outlive the partition of its day. With the receipts that need it, as there is no index that leads from a body to those.
    `
create table ${schema}.kept_bodies (
  id uuid primary key,
  receipt_ids bigint[] not null,
  content bytea not null,
  headers text not null
)`,

    `
create table ${schema}.ledger_days (
  environment text not null,
  source text not null,
  day date not null,
  added bigint not null default 0,
  pruned bigint not null default 0,
  bodies_pruned bigint not null default 0,
  own_bodies_pruned bigint not null default 0,
  primary key (environment, source, day)
)`,

    `alter table ${schema}.upkeep add column place text`,
    // A fixed time for the rows that are there: adding it rewrites nothing.
    `alter table ${schema}.changes add column noted_at timestamptz not null default now()`,
  ],
}
