import { createHash } from 'node:crypto'
import type { EventKey, NewReceipt } from '../../../receipt/receipt.ts'
import type { SourceStep, StepResult } from '../../retention-store.ts'
import type { UpkeepLease } from '../../upkeep-store.ts'
import type { Database } from '../database.ts'
import { leaseSql } from '../upkeep.ts'
import { nextIdSql, type StepRow, spanEnd, toStepResult, walkedToSql } from './steps.ts'

/** Names of environments and sources have no slash in them, so this is one text for each event. */
const keySql = `
  left(encode(sha256(convert_to(environment || '/' || source || '/' || event_id, 'UTF8')), 'hex'), 32)::uuid`

/** The same here. */
function eventKeyOf({ environment, source, eventId }: EventKey): string {
  const digits = createHash('sha256').update(`${environment}/${source}/${eventId}`).digest('hex')
  return digits.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** The keys of those whose sources remember their events for ever. */
export function keptKeysOf(receipts: readonly NewReceipt[]): readonly string[] {
  return receipts.filter(({ isKeyKept }) => isKeyKept === true).map(eventKeyOf)
}

/**
 * Added to a statement that records: nothing of it is done if one of the keys is known. A receipt goes only long after its key was kept,
 * so a statement that does not see the key still finds the receipt in its way.
 */
export const unlessKeyKeptSql = (schema: string, keys: string): string => `
  where not exists (select from ${schema}.event_keys where key = any (${keys}::uuid[]))`

const readKeptKeysSql = (schema: string): string => `
  select key::text as key, receipt_id::text as "receiptId" from ${schema}.event_keys where key = any ($1::uuid[])`

/** The ids that the receipts of these events had, by the place in the list. */
export async function readKeptKeys(
  { query, schema }: Database,
  receipts: readonly NewReceipt[],
): Promise<ReadonlyMap<NewReceipt, string>> {
  const asked = receipts.filter(({ isKeyKept }) => isKeyKept === true)
  if (asked.length === 0) return new Map()
  type Row = { readonly key: string; readonly receiptId: string }
  const rows = await query<Row>(readKeptKeysSql(schema), [asked.map(eventKeyOf)])
  const ids = new Map(rows.map(({ key, receiptId }) => [key, receiptId]))
  return new Map(
    asked.flatMap((receipt) => {
      const receiptId = ids.get(eventKeyOf(receipt))
      return receiptId === undefined ? [] : [[receipt, receiptId] as const]
    }),
  )
}

const walk = { limit: '$3', end: '$6' } as const

const keepKeysSql = (schema: string): string => `
  with ${leaseSql(schema, '$1')}, candidates as materialized (
    select receipts.id, receipts.environment, receipts.source, receipts.event_id from ${schema}.receipts
    where exists (select from lease) and receipts.environment = $2::text and receipts.source = any ($4::text[])
      and receipts.id > $5::bigint and receipts.id < $6::bigint
    order by receipts.id
    limit $3::int
  ), kept as (
    insert into ${schema}.event_keys (key, receipt_id)
    select ${keySql} as key, id from candidates order by key
    on conflict (key) do nothing
  ), moved as (
    update ${schema}.retention
    set keys_kept_to = greatest(keys_kept_to, ${walkedToSql(walk)}), keys_kept_at = clock_timestamp()
    where environment = $2::text and source = any ($4::text[]) and exists (select from lease)
  )
  select (select count(id) from candidates)::int as removed, (${nextIdSql(schema, walk)})::text as next,
    exists (select from lease) as "isHeld"`

/** Keeps the keys of receipts that will go. Of all of them, whatever their status: it does no harm to know an event twice. */
export async function keepKeys(
  { query, schema }: Database,
  { fence }: UpkeepLease,
  step: SourceStep,
): Promise<StepResult> {
  const values = [fence, step.environment, step.limit, step.sources, step.after, spanEnd(step)]
  return toStepResult(await query<StepRow>(keepKeysSql(schema), values), step.beforeId)
}
