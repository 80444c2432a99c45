import type { SendCall, SqlQuery } from './sql-client.ts'

/** What every statement needs: a way to send it, and the quoted schema it is about. */
export type Database = {
  readonly query: SqlQuery
  /** Sends a call of a function of ours. Undefined where the library has nothing to make it cheaper than any other statement. */
  readonly call?: SendCall | undefined
  readonly schema: string
  /** Where workers of other processes listen; undefined if there can be none. */
  readonly wakeChannel: string | undefined
  /** Whether arrays may be sent as `binaryArray` makes them. */
  readonly takesBinary: boolean
}

/** The status people see: `processing` is not stored but follows from a lease that still runs. */
export const statusSql = `
  case when queue.leased_by is not null and queue.due_at > clock_timestamp() then 'processing' else receipts.status end`

/** A time as milliseconds, because users set their own parsers for the driver's dates. */
export const millisecondsSql = (expression: string): string => `(extract(epoch from ${expression}) * 1000)::float8`

export function optionalDate(milliseconds: number | null): Date | undefined {
  return milliseconds === null ? undefined : new Date(milliseconds)
}
