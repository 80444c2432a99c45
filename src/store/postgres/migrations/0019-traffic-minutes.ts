import type { Migration } from './migration.ts'

/** What happened, by the minute, for people who watch: its size is that of the configuration, not of the traffic. */
export const trafficMinutes: Migration = {
  version: 19,
  name: 'traffic-minutes',
  isBreaking: false,
  statements: (schema) => [
    // By the minute first: it is read and removed by time. Added to in place, so there is room for the next version of a row.
    `
create table ${schema}.traffic_minutes (
  environment text not null,
  minute timestamptz not null,
  source text not null,
  accepted bigint not null default 0,
  duplicates bigint not null default 0,
  refused bigint not null default 0,
  succeeded bigint not null default 0,
  failed bigint not null default 0,
  lag_sum double precision not null default 0,
  lag_count bigint not null default 0,
  primary key (environment, minute, source)
) with (fillfactor = 70)`,
  ],
}
