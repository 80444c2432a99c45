import type { TimelineEntry } from '../../receipt/receipt.ts'
import { type Database, millisecondsSql } from './database.ts'
import { messageColumnsSql, type OutboxRow, toMessage } from './outbox-find.ts'

/** What an event did: its effects, the versions it raised last, and the messages it sent. */
export async function effectsOf(database: Database, receiptId: string): Promise<readonly TimelineEntry[]> {
  const happened = await Promise.all([
    appliedEffects(database, receiptId),
    raisedVersions(database, receiptId),
    messages(database, receiptId),
  ])
  return happened.flat()
}

const effectsSql = (schema: string): string => `
  select key, handler, result, ${millisecondsSql('applied_at')} as at from ${schema}.effects where receipt_id = $1::bigint order by key`

async function appliedEffects({ query, schema }: Database, receiptId: string): Promise<readonly TimelineEntry[]> {
  type Row = { readonly key: string; readonly handler: string; readonly result: string | null; readonly at: number }
  const rows = await query<Row>(effectsSql(schema), [receiptId])
  return rows.map(({ key, handler, result, at }) => ({
    kind: 'effect',
    at: new Date(at),
    key,
    handler,
    result: result ?? undefined,
  }))
}

const versionsSql = (schema: string): string => `
  select key, shown, ${millisecondsSql('updated_at')} as at from ${schema}.versions where receipt_id = $1::bigint order by key`

async function raisedVersions({ query, schema }: Database, receiptId: string): Promise<readonly TimelineEntry[]> {
  const rows = await query<{ readonly key: string; readonly shown: string; readonly at: number }>(versionsSql(schema), [
    receiptId,
  ])
  return rows.map(({ key, shown, at }) => ({ kind: 'version', at: new Date(at), key, version: shown }))
}

const messagesSql = (schema: string): string => `
  select ${messageColumnsSql} from ${schema}.outbox where receipt_id = $1::bigint order by id`

async function messages({ query, schema }: Database, receiptId: string): Promise<readonly TimelineEntry[]> {
  const rows = await query<OutboxRow>(messagesSql(schema), [receiptId])
  return rows.map((row) => {
    const message = toMessage(row)
    return { kind: 'message', at: message.createdAt, message }
  })
}
