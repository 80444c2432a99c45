import type { PageFilter } from '../../overview-store.ts'
import type { Database } from '../database.ts'
import { firstIdSinceSql } from '../first-id-since.ts'
import { isReceiptId } from '../receipt-filter.ts'
import { storableText } from '../storable.ts'

/** Every source that the ledger knows, by hopping through the unique key from one to the next. */
const sourcesSql = (schema: string): string => `
  with recursive known (source) as (
    select min(source) from ${schema}.receipts where environment = $1::text
    union all
    select (select min(receipts.source) from ${schema}.receipts where environment = $1::text and receipts.source > known.source)
    from known where known.source is not null
  )
  select source from known where source is not null`

export async function sourcesOf({ query, schema }: Database, environment: string): Promise<readonly string[]> {
  const rows = await query<{ readonly source: string }>(sourcesSql(schema), [environment])
  return rows.map(({ source }) => source)
}

/** Each of the three is a look-up in an index. */
const identitySql = (schema: string): string => `
  select id::text as id from (
    select id from ${schema}.receipts where environment = $1::text and id = $2::bigint
    union
    select id from ${schema}.receipts
    where environment = $1::text and source = any ($3::text[]) and event_id = $4::text
    union
    (
      select id from ${schema}.receipts
      where environment = $1::text and object_id = $4::text and ($5::bigint is null or id < $5::bigint)
      order by id desc
      limit $6::int
    )
  ) as hits
  where $5::bigint is null or id < $5::bigint
  order by hits.id desc
  limit $6::int`

/** Receipts whose id, event id or object id this is. */
export async function findByIdentity(
  database: Database,
  environment: string,
  { search, beforeId, limit }: PageFilter & { readonly search: string },
): Promise<readonly string[]> {
  const sources = await sourcesOf(database, environment)
  const id = isReceiptId(search) ? search : null
  const rows = await database.query<{ readonly id: string }>(identitySql(database.schema), [
    environment,
    id,
    sources,
    storableText(search),
    beforeId ?? null,
    limit,
  ])
  return rows.map((row) => row.id)
}

/** A queue that is short is read whole; one that is long has what is looked for everywhere. */
const shortQueue = 20_000

export async function isQueueShort({ query, schema }: Database, environment: string): Promise<boolean> {
  const [row] = await query<{ readonly isShort: boolean }>(
    `select count(found) <= ${shortQueue} as "isShort" from (
      select 1 as found from ${schema}.queue where environment = $1::text limit ${shortQueue + 1}
    ) as queue`,
    [environment],
  )
  return row?.isShort ?? true
}

/** So many dead letters are looked at in one step, however far apart they are. */
const deadLettersInStep = 4000

/** Below this id, the id of the dead letter that a step reaches to; 0 if there are fewer. Only the index of dead letters is read. */
export async function deadLetterBelow({ query, schema }: Database, environment: string, id: number): Promise<number> {
  const [row] = await query<{ readonly id: number }>(
    `select id::float8 as id from ${schema}.receipts
     where environment = $1::text and failed_at is not null and id < $2::bigint
     order by receipts.id desc
     offset ${deadLettersInStep - 1}
     limit 1`,
    [environment, id],
  )
  return row?.id ?? 0
}

/** Times of different processes may be out of order by a little. */
const slackSql = "interval '10 minutes'"

const rangeSql = (schema: string): string => {
  const receipts = { table: `${schema}.receipts`, time: 'received_at' }
  return `
  with recursive ${firstIdSinceSql('after', receipts, `coalesce($1::timestamptz, '-infinity') - ${slackSql}`)},
  ${firstIdSinceSql('before', receipts, `coalesce($2::timestamptz, 'infinity') + ${slackSql}`)}
  select (select first_id from after)::float8 as first, (select first_id from before)::float8 - 1 as last`
}

/** The ids between which receipts of that time are. Ids grow with time, so that no index by time is needed. */
export async function idRange(
  { query, schema }: Database,
  { receivedAfter, receivedBefore }: Pick<PageFilter, 'receivedAfter' | 'receivedBefore'>,
): Promise<{ readonly first: number; readonly last: number }> {
  const values = [receivedAfter?.toISOString() ?? null, receivedBefore?.toISOString() ?? null]
  const [row] = await query<{ readonly first: number; readonly last: number }>(rangeSql(schema), values)
  return row ?? { first: 1, last: 0 }
}
