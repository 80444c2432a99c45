import type { Migration } from './migration.ts'

/** Definitions that were made by hand, what they run on and ran on before, and their runs. */
export const automations: Migration = {
  version: 22,
  name: 'automations',
  isBreaking: false,
  statements: (schema) => [
    `create sequence ${schema}.automation_revisions`,
    `
create table ${schema}.automations (
  environment text not null,
  name text collate "C" not null,
  definition text,
  revision bigint not null,
  changed_at timestamptz not null default clock_timestamp(),
  changed_by text not null,
  primary key (environment, name)
)`,
    `
create table ${schema}.automation_triggers (
  environment text not null,
  name text collate "C" not null,
  trigger text collate "C" not null,
  ended_at timestamptz,
  primary key (environment, name, trigger)
)`,
    `
create table ${schema}.automation_runs (
  id bigint generated always as identity primary key,
  environment text not null,
  automation text collate "C" not null,
  source text not null,
  event_id text not null,
  receipt_id bigint not null,
  attempt integer not null,
  outcome text not null,
  error text,
  took_ms float8 not null,
  steps text not null,
  ended_at timestamptz not null default clock_timestamp()
)`,
    `create index automation_runs_automation on ${schema}.automation_runs (environment, automation, id)`,
  ],
}
