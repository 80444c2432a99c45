import type { Migration } from './migration.ts'

/** What is remembered of bodies whose ids are outside the signature. */
export const replayedBodies: Migration = {
  version: 3,
  name: 'replayed-bodies',
  isBreaking: false,
  statements: (schema) => [
    // In the receipt itself, so that the key goes when the receipt goes.
    `alter table ${schema}.receipts add column signed_key bytea`,
    `alter table ${schema}.receipts add column repeats_event_id text`,
    // The key holds environment and source already. Receipts without one cost nothing here.
    `create unique index receipts_signed_key on ${schema}.receipts (signed_key) where signed_key is not null`,
    // Not validated: every row that is there fits the narrower list too, and checking it would hold up deliveries.
    `
alter table ${schema}.deliveries
  drop constraint deliveries_kind_check,
  add constraint deliveries_kind_check check (
    kind in ('duplicate', 'mutated', 'replayed_body', 'forged', 'malformed', 'not_allowed')
  ) not valid`,
  ],
}
