import type { Migration } from './migration.ts'

/**
 * Values by namespace and key. They are text: jsonb refuses \u0000 and changes large numbers. Keys sort by code point whatever the
 * database's language is. Versions come from one sequence, so that a key that was deleted and made anew never has an old one.
 */
export const datastore: Migration = {
  version: 21,
  name: 'datastore',
  isBreaking: false,
  statements: (schema) => [
    `create sequence ${schema}.datastore_versions`,
    `
create table ${schema}.datastore (
  environment text not null,
  namespace text collate "C" not null,
  key text collate "C" not null,
  value text not null,
  version bigint not null,
  expires_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (environment, namespace, key)
)`,
    `create index datastore_expiry on ${schema}.datastore (expires_at) where expires_at is not null`,
  ],
}
