import type { Migration } from './migration.ts'

/** Who changed what through the admin surface, and who is logged in there. */
export const admin: Migration = {
  version: 18,
  name: 'admin',
  isBreaking: false,
  statements: (schema) => [
    `
create table ${schema}.admin_log (
  id bigint generated always as identity primary key,
  environment text not null,
  at timestamptz not null default clock_timestamp(),
  "by" text not null,
  role text not null,
  action text not null,
  target text not null,
  why text,
  outcome text not null default 'begun' check (outcome in ('begun', 'done', 'refused', 'failed')),
  detail text
)`,
    // A name and a role are kept with the line, whatever becomes of the token; of a session only what finds it again.
    `
create table ${schema}.admin_sessions (
  digest bytea primary key,
  environment text not null,
  name text not null,
  token_mark text not null,
  opened_at timestamptz not null default clock_timestamp(),
  ends_at timestamptz not null
)`,
  ],
}
