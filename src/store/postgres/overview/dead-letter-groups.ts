import type { DeadLetterGroup, DeadLetterGroups } from '../../overview-store.ts'
import { type Database, millisecondsSql } from '../database.ts'

const mostRows = 10_000
const mostGroups = 100

/** A walk of bounded length along the index that holds only what failed. Errors that differ in numbers alone are alike. */
const groupsSql = (schema: string): string => `
  with newest as materialized (
    select id, source, type, left(coalesce(last_error, ''), 300) as error, failed_at
    from ${schema}.receipts
    where environment = $1::text and failed_at is not null
    order by id desc
    limit ${mostRows}
  )
  select source, type, (array_agg(error order by id desc))[1] as error, count(id)::int as count,
    ${millisecondsSql('max(failed_at)')} as "lastAt", max(id)::text as "exampleId",
    (select count(id) < ${mostRows} from newest) as "isComplete"
  from newest
  where $2::text is null or source = $2::text
  group by source, type, regexp_replace(error, '[0-9]+', '#', 'g')
  order by count desc, max(id) desc
  limit ${mostGroups}`

type Row = Omit<DeadLetterGroup, 'lastAt'> & { readonly lastAt: number; readonly isComplete: boolean }

export async function deadLetterGroups(
  { query, schema }: Database,
  environment: string,
  onlySource: string | undefined,
): Promise<DeadLetterGroups> {
  const rows = await query<Row>(groupsSql(schema), [environment, onlySource ?? null])
  return {
    groups: rows.map(({ source, type, error, count, lastAt, exampleId }) => {
      return { source, type, error, count, lastAt: new Date(lastAt), exampleId }
    }),
    isComplete: rows[0]?.isComplete ?? true,
  }
}
