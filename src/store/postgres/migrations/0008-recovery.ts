import type { Migration } from './migration.ts'

/** Receipts that did not come as webhooks, and how far the work of bringing them in has come. */
export const recovery: Migration = {
  version: 8,
  name: 'recovery',
  isBreaking: false,
  statements: (schema) => [
    `alter table ${schema}.receipts add column origin text`,

    `
create table ${schema}.recoveries (
  id bigint generated always as identity primary key,
  environment text not null,
  source text not null,
  kind text not null,
  plan text not null,
  plan_key bytea not null,
  cursor text,
  counts text not null default '{}',
  held_by text not null,
  held_until timestamptz not null,
  started_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz
)`,
    // A plan may be long, so its hash is what has to be unique.
    `
create unique index recoveries_unfinished on ${schema}.recoveries (environment, source, kind, plan_key)
where finished_at is null`,
  ],
}
