import type { Receipt } from '../../../receipt/receipt.ts'
import type { PageFilter, ReceiptPage } from '../../overview-store.ts'
import type { Database } from '../database.ts'
import { type ReceiptRow, receiptColumnsSql, toReceipt } from '../find.ts'
import { chooseReceipts, statusesOf } from '../receipt-filter.ts'
import { storableText } from '../storable.ts'
import { deadLetterBelow, findByIdentity, idRange, isQueueShort, sourcesOf } from './ledger-places.ts'

/** So many ids are looked at in one step, gaps included: each step takes some hundredths of a second at most. */
const idsInStep = 20_000
/** After this no further step is begun. What was found by then is the page, and the next one goes on from there. */
const patienceMilliseconds = 30

/**
 * What an index leads to is found at once. Everything else is looked for by walking back from the newest, for a moment: an index for every
 * question would make each delivery pay for what is asked now and then.
 */
export async function pageOfReceipts(
  database: Database,
  environment: string,
  filter: PageFilter,
): Promise<ReceiptPage> {
  const { search, ...rest } = filter
  const narrowed = await narrow(database, environment, rest)
  if (search !== undefined) {
    const ids = await findByIdentity(database, environment, { ...filter, search })
    if (ids.length > 0) return found(await read(database, environment, { ...narrowed, ids }, {}), filter)
  }
  const isDirect = search === undefined && (await hasIndex(database, environment, narrowed))
  if (isDirect) return found(await read(database, environment, narrowed, {}), filter)
  return walk(database, environment, { ...narrowed, search })
}

function found(receipts: readonly Receipt[], { limit }: PageFilter): ReceiptPage {
  return { receipts, next: receipts.length < limit ? undefined : receipts.at(-1)?.id }
}

/** An event id leads somewhere only together with a source. */
async function narrow(database: Database, environment: string, filter: PageFilter): Promise<Narrowed> {
  if (filter.eventId === undefined || filter.source !== undefined) return filter
  return { ...filter, sources: await sourcesOf(database, environment) }
}

type Narrowed = PageFilter & { readonly sources?: readonly string[] }

const pending = new Set(['received', 'processing', 'retrying'])

async function hasIndex(database: Database, environment: string, filter: Narrowed): Promise<boolean> {
  const { eventId, objectId, ids, isHeld, isPending } = filter
  if (eventId !== undefined || objectId !== undefined || ids !== undefined || isHeld === true) return true
  const statuses = statusesOf(filter)
  // After an outage there may be very many, so that a few of them among all are looked for as others are.
  if (isOfFailed(filter)) return Object.keys(filter).every((name) => leftToIndex.has(name))
  const isOfQueue = isPending === true || (statuses?.every((status) => pending.has(status)) ?? false)
  return isOfQueue && (await isQueueShort(database, environment))
}

const leftToIndex = new Set(['status', 'limit', 'beforeId'])

function isOfFailed(filter: Narrowed): boolean {
  const statuses = statusesOf(filter)
  return statuses?.length === 1 && statuses[0] === 'failed'
}

async function walk(database: Database, environment: string, filter: Narrowed): Promise<ReceiptPage> {
  const { first, last } = await idRange(database, filter)
  const receipts: Receipt[] = []
  const startedAt = performance.now()
  let high = Math.min(last + 1, Number(filter.beforeId ?? Number.MAX_SAFE_INTEGER))
  while (high > first) {
    const step = isOfFailed(filter) ? await deadLetterBelow(database, environment, high) : high - idsInStep
    const low = Math.max(first, step)
    const limit = filter.limit - receipts.length
    receipts.push(...(await read(database, environment, { ...filter, limit }, { low, high })))
    if (receipts.length === filter.limit) return { receipts, next: receipts.at(-1)?.id }
    high = low
    if (performance.now() - startedAt > patienceMilliseconds) break
  }
  return { receipts, next: high > first ? String(high) : undefined }
}

type Range = { readonly low?: number; readonly high?: number }

const readSql = (schema: string, condition: string, limit: string): string => `
  select ${receiptColumnsSql}
  from ${schema}.receipts
  left join ${schema}.queue on queue.receipt_id = receipts.id
  where ${condition}
  order by receipts.id desc
  limit ${limit}`

async function read(
  { query, schema }: Database,
  environment: string,
  { search, sources, ...filter }: Narrowed,
  { low, high }: Range,
): Promise<readonly Receipt[]> {
  const isOfQueue = statusesOf(filter)?.every((status) => pending.has(status)) === true
  const choice = chooseReceipts(schema, environment, { ...filter, ...(isOfQueue && { isPending: true }) })
  if (choice === undefined) return []
  const values = [...choice.values]
  const parameter = (value: unknown): string => `$${values.push(value)}`
  const conditions = [choice.condition]
  if (low !== undefined) conditions.push(`receipts.id >= ${parameter(low)}::bigint`)
  if (high !== undefined) conditions.push(`receipts.id < ${parameter(high)}::bigint`)
  if (sources !== undefined) conditions.push(`receipts.source = any (${parameter(sources)}::text[])`)
  if (search !== undefined) {
    const isBeginning = search.endsWith('*')
    const given = parameter(storableText(isBeginning ? search.slice(0, -1) : search))
    conditions.push(
      isBeginning
        ? `starts_with(receipts.type, ${given}::text)`
        : `(receipts.type = ${given}::text or receipts.delivery_id = ${given}::text)`,
    )
  }
  const rows = await query<ReceiptRow>(readSql(schema, conditions.join(' and '), choice.limit), values)
  return rows.map(toReceipt)
}
