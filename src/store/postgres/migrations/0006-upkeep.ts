import type { Migration } from './migration.ts'

/** Who does which task of upkeep, until when, and when it is due again. */
export const upkeep: Migration = {
  version: 6,
  name: 'upkeep',
  isBreaking: false,
  statements: (schema) => [
    // A task for all environments together has an empty one.
    `
create table ${schema}.upkeep (
  environment text not null,
  task text not null,
  next_due_at timestamptz not null,
  leased_until timestamptz,
  leased_by text,
  fence bigint,
  started_at timestamptz,
  ended_at timestamptz,
  outcome text check (outcome in ('done', 'unfinished', 'failed', 'stopped')),
  detail text,
  primary key (environment, task)
)`,
  ],
}
