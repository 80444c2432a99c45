import type { ValueRow } from '../../datastore-store.ts'
import { millisecondsSql, optionalDate } from '../database.ts'

/** What every statement on values answers with. */
export const valueColumnsSql = (table: string): string => `
  ${table}.key, ${table}.value as text, ${table}.version::float8 as version,
  ${millisecondsSql(`${table}.expires_at`)} as "expiresAt", ${millisecondsSql(`${table}.updated_at`)} as "updatedAt"`

/** A value whose time is over is gone, whether or not it was removed yet. */
export const isAliveSql = (table: string): string =>
  `(${table}.expires_at is null or ${table}.expires_at > clock_timestamp())`

export type FoundValue = {
  readonly key: string
  readonly text: string
  readonly version: number
  readonly expiresAt: number | null
  readonly updatedAt: number
}

export function toValueRow({ expiresAt, updatedAt, key, text, version }: FoundValue): ValueRow {
  return { key, text, version, expiresAt: optionalDate(expiresAt), updatedAt: new Date(updatedAt) }
}
