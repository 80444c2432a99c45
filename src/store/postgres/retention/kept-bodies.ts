import type { StepResult } from '../../retention-store.ts'
import type { UpkeepLease } from '../../upkeep-store.ts'
import type { Database } from '../database.ts'
import { leaseSql } from '../upkeep.ts'
import { finishedSql } from './expressions.ts'
import { type StepRow, toStepResult } from './steps.ts'

/** What is read of a body. Null where there is none in the partition of its day. */
type BodyColumns = { readonly text?: string | null; readonly content: string | null; readonly headers: string | null }

const keptBodiesSql = (schema: string): string => `
  select receipts.id::text as "receiptId", encode(kept_bodies.content, 'hex') as content, kept_bodies.headers
  from ${schema}.receipts join ${schema}.kept_bodies on kept_bodies.id = receipts.body_id
  where receipts.id = any ($1::bigint[])`

/** Fills in bodies that have outlived the partition of their day. Asks for nothing as long as all bodies are there. */
export async function withKeptBodies<Row extends BodyColumns & { readonly receiptId: string }>(
  { query, schema }: Database,
  rows: readonly Row[],
): Promise<readonly Row[]> {
  const missing = rows.flatMap(({ headers, receiptId }) => (headers === null ? [receiptId] : []))
  if (missing.length === 0) return rows
  const kept = await query<BodyColumns & { readonly receiptId: string }>(keptBodiesSql(schema), [missing])
  const byReceipt = new Map(kept.map((body) => [body.receiptId, body]))
  return rows.map((row) => ({ ...row, ...byReceipt.get(row.receiptId) }))
}

const pruneKeptBodiesSql = (schema: string): string => `
  with ${leaseSql(schema, '$1')}, batch as materialized (
    select id, receipt_ids from ${schema}.kept_bodies
    where exists (select from lease) and ($2::uuid is null or id > $2::uuid)
    order by id
    limit $3::int
  ), gone as (
    delete from ${schema}.kept_bodies using batch
    where kept_bodies.id = batch.id and not exists (
      select from ${schema}.receipts
      where receipts.id = any (batch.receipt_ids) and (receipts.status not in ${finishedSql} or receipts.held_at is not null)
    )
    returning kept_bodies.id
  )
  select (select count(id) from gone)::int as removed,
    case when (select count(id) from batch) = $3::int then (select id::text from batch order by id desc limit 1) end as next,
    exists (select from lease) as "isHeld"`

/** Lets go of what nobody needs any more: its receipt was worked off after all, released, or is gone. */
export async function pruneKeptBodies(
  { query, schema }: Database,
  { fence }: UpkeepLease,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<StepResult> {
  return toStepResult(await query<StepRow>(pruneKeptBodiesSql(schema), [fence, after ?? null, limit]))
}
