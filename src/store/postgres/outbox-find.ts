import type { OutboxMessage } from '../../receipt/receipt.ts'
import type { MessageFilter } from '../outbox-store.ts'
import { type Database, millisecondsSql, optionalDate } from './database.ts'

/** Everything given must hold; what is not given is null, and holds. */
const conditionSql = `
  outbox.environment = $1::text and ($2::bigint is null or outbox.id = $2::bigint)
  and ($3::text is null or outbox.target = $3::text) and ($4::text is null or outbox.key = $4::text)
  and ($5::bigint is null or outbox.receipt_id = $5::bigint) and ($6::text is null or outbox.status = $6::text)
  and ($7::bigint is null or outbox.id < $7::bigint) and ($8::bigint[] is null or outbox.id = any ($8::bigint[]))`

export const messageColumnsSql: string = `
  outbox.id::text as id, outbox.target, outbox.key, outbox.receipt_id::text as "receiptId", outbox.status, outbox.attempts,
  ${millisecondsSql('outbox.created_at')} as "createdAt", ${millisecondsSql('outbox.published_at')} as "publishedAt",
  outbox.last_error as "lastError"`

const findMessagesSql = (schema: string): string => `
  select ${messageColumnsSql} from ${schema}.outbox where ${conditionSql} order by outbox.id desc limit $9::bigint`

export type OutboxRow = Pick<OutboxMessage, 'id' | 'target' | 'key' | 'status' | 'attempts'> & {
  readonly receiptId: string | null
  readonly createdAt: number
  readonly publishedAt: number | null
  readonly lastError: string | null
}

export async function findMessages(
  { query, schema }: Database,
  environment: string,
  filter: MessageFilter,
): Promise<readonly OutboxMessage[]> {
  if (!hasPossibleIds(filter)) return []
  const rows = await query<OutboxRow>(findMessagesSql(schema), [
    ...conditionValues(environment, filter),
    filter.limit ?? 50,
  ])
  return rows.map(toMessage)
}

/** The key stays, so that a receiver which had the message after all does nothing twice. */
const replayMessagesSql = (schema: string): string => `
  with chosen as (
    select outbox.id from ${schema}.outbox
    where ${conditionSql} and outbox.status = 'failed'
    order by outbox.id desc limit $9::bigint
    for update
  )
  update ${schema}.outbox
  set status = 'pending', attempts = 0, due_at = clock_timestamp(), failed_at = null
  from chosen
  where outbox.id = chosen.id
  returning outbox.id::text as id`

export async function replayMessages(
  { query, schema }: Database,
  environment: string,
  filter: MessageFilter,
): Promise<readonly string[]> {
  if (!hasPossibleIds(filter)) return []
  const rows = await query<Pick<OutboxMessage, 'id'>>(replayMessagesSql(schema), [
    ...conditionValues(environment, filter),
    // Who names no limit means all of them.
    filter.limit ?? Number.MAX_SAFE_INTEGER,
  ])
  return rows.map(({ id }) => id)
}

export function toMessage({ receiptId, createdAt, publishedAt, lastError, ...row }: OutboxRow): OutboxMessage {
  return {
    ...row,
    receiptId: receiptId ?? undefined,
    createdAt: new Date(createdAt),
    publishedAt: optionalDate(publishedAt),
    lastError: lastError ?? undefined,
  }
}

/** What is no number is the id of nothing, and PostgreSQL would refuse it. */
function hasPossibleIds({ id, receiptId, beforeId, ids = [] }: MessageFilter): boolean {
  return [id, receiptId, beforeId, ...ids].every((value) => value === undefined || /^\d{1,18}$/.test(value))
}

function conditionValues(
  environment: string,
  { id, target, key, receiptId, status, beforeId, ids }: MessageFilter,
): readonly unknown[] {
  const given = [id, target, key, receiptId, status, beforeId, ids]
  return [environment, ...given.map((value) => value ?? null)]
}
