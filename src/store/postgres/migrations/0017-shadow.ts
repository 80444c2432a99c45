import type { Migration } from './migration.ts'

/** What is seen of handlers that are not ours: a row for each event of each delivery. */
export const shadow: Migration = {
  version: 17,
  name: 'shadow',
  isBreaking: false,
  statements: (schema) => [
    `
create table ${schema}.shadow_calls (
  id uuid not null,
  place integer not null,
  environment text not null,
  source text not null,
  event_id text,
  type text,
  verdict text not null,
  reason text,
  worker text not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  ending text,
  status smallint,
  deliveries integer not null default 1,
  primary key (id, place)
)`,
    `create index shadow_calls_event on ${schema}.shadow_calls (environment, source, event_id, started_at)`,
  ],
}
