import type { Migration } from './migration.ts'

/** A message is sent as part of the trace in which it was added. */
export const traces: Migration = {
  version: 10,
  name: 'traces',
  isBreaking: false,
  statements: (schema) => [`alter table ${schema}.outbox add column traceparent text`],
}
