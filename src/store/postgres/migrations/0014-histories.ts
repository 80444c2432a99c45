import type { Migration } from './migration.ts'

/** What a run could not bring in, and when sources were last looked after. */
export const histories: Migration = {
  version: 14,
  name: 'histories',
  isBreaking: false,
  statements: (schema) => [
    `alter table ${schema}.recoveries add column failures text not null default '[]'`,
    `
create table ${schema}.watches (
  environment text not null,
  source text not null,
  looked_at timestamptz not null,
  heard_at timestamptz not null,
  pause_seconds double precision not null,
  seen_to bigint not null,
  primary key (environment, source)
) with (fillfactor = 50)`,
  ],
}
