import type { Migration } from './migration.ts'

/** Answers against deadlines, and secrets against deliveries: a row for each source and day, and one for each secret. */
export const meters: Migration = {
  version: 12,
  name: 'meters',
  isBreaking: false,
  statements: (schema) => [
    `
create table ${schema}.deadlines (
  environment text not null,
  source text not null,
  day date not null,
  deliveries bigint not null,
  past_half bigint not null,
  past_most bigint not null,
  past_all bigint not null,
  slowest_ms double precision not null,
  primary key (environment, source, day)
)`,
    `
create table ${schema}.secret_uses (
  environment text not null,
  source text not null,
  mark text not null,
  secret_index smallint not null,
  deliveries bigint not null,
  others_since bigint not null,
  since timestamptz not null default clock_timestamp(),
  last_seen_at timestamptz,
  primary key (environment, source, mark, secret_index)
)`,
  ],
}
