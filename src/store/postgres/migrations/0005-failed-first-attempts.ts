import type { Migration } from './migration.ts'

/** First runs that failed can be looked up by themselves. */
export const failedFirstAttempts: Migration = {
  version: 5,
  name: 'failed-first-attempts',
  isBreaking: false,
  statements: (schema) => [
    // Only failures cost a row here: a run that succeeds, as most do, costs nothing.
    `
create index attempts_failed_first on ${schema}.attempts (id)
where attempt = 1 and outcome in ('failed', 'abandoned')`,
  ],
}
