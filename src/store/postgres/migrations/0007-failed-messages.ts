import type { Migration } from './migration.ts'

/** Dead letters of the outbox can be found without a walk over what was sent. */
export const failedMessages: Migration = {
  version: 7,
  name: 'failed-messages',
  isBreaking: false,
  statements: (schema) => [`create index outbox_failed on ${schema}.outbox (environment, id) where status = 'failed'`],
}
