import type { Migration } from './migration.ts'

/** What is left of receipts whose sources remember their events for ever. */
export const eventKeys: Migration = {
  version: 15,
  name: 'event-keys',
  isBreaking: false,
  statements: (schema) => [
    // Half of a SHA-256, in a type of fixed size: with its index a key takes about 100 bytes.
    `
create table ${schema}.event_keys (
  key uuid primary key,
  receipt_id bigint not null
)`,
    `alter table ${schema}.retention add column keeps_keys boolean not null default false`,
    `alter table ${schema}.retention add column keys_kept_to bigint not null default 0`,
    `alter table ${schema}.retention add column keys_kept_at timestamptz`,
  ],
}
