import type { Migration } from './migration.ts'

/** What is counted for alerts, their episodes, and messages that come from no event. */
export const alerts: Migration = {
  version: 11,
  name: 'alerts',
  isBreaking: false,
  statements: (schema) => [
    // Added to in place by every process that receives, so there is room on the page for the next version of a row.
    `
create table ${schema}.traffic (
  environment text not null,
  source text not null,
  bucket timestamptz not null,
  events bigint not null default 0,
  handled bigint not null default 0,
  failed bigint not null default 0,
  copies bigint not null default 0,
  answered bigint not null default 0,
  answered_near bigint not null default 0,
  answered_late bigint not null default 0,
  slowest_ms double precision not null default 0,
  primary key (environment, source, bucket)
) with (fillfactor = 70)`,
    `
create table ${schema}.traffic_marks (
  log text primary key,
  counted_to bigint not null,
  seen_to bigint not null,
  seen_before_transaction bigint not null,
  seen_at timestamptz not null
)`,

    `
create table ${schema}.alerts (
  id bigint generated always as identity primary key,
  environment text not null,
  rule text not null,
  source text not null,
  opened_at timestamptz not null,
  last_seen_at timestamptz not null,
  resolved_at timestamptz,
  told_at timestamptz,
  reminders integer not null default 0,
  reminded_at timestamptz,
  opening_figures text not null,
  latest_figures text not null,
  acknowledged_at timestamptz,
  acknowledged_by text,
  acknowledged_why text
)`,
    // Of two processes that see the same thing at once, one opens the episode and the other finds it open.
    `create unique index alerts_open on ${schema}.alerts (environment, rule, source) where resolved_at is null`,
    `
create table ${schema}.alert_mutes (
  id bigint generated always as identity primary key,
  environment text not null,
  rule text not null,
  source text not null,
  until timestamptz not null,
  "by" text not null,
  why text not null,
  at timestamptz not null default clock_timestamp()
)`,
    `
create table ${schema}.alert_watch (
  environment text primary key,
  watching_since timestamptz not null,
  evaluated_at timestamptz not null
)`,

    // Only what failed for good costs a row in these.
    `create index receipts_failed_at on ${schema}.receipts (environment, failed_at) where failed_at is not null`,
    `alter table ${schema}.outbox add column failed_at timestamptz`,
    `create index outbox_failed_at on ${schema}.outbox (environment, failed_at) where failed_at is not null`,

    // Since when a task of upkeep has been begun without being done.
    `alter table ${schema}.upkeep add column late_since timestamptz`,

    // An alert is a message of no event.
    `alter table ${schema}.outbox alter column receipt_id drop not null`,
  ],
}
