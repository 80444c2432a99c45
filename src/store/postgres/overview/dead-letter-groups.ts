import type { DeadLetterGroup, DeadLetterGroups } from '../../overview-store.ts'
import { type Database, millisecondsSql } from '../database.ts'

const mostRows = 5000
const mostGroups = 100

/** An error without its digits, in half the time that a regular expression takes. */
const withoutDigitsSql = '0123456789'.split('').reduce((text, digit) => `replace(${text}, '${digit}', '')`, 'error')

/** A walk of bounded length along the index that holds only what failed. Errors that differ in numbers alone are alike. */
const groupsSql = (schema: string): string => `
  with newest as materialized (
    select id, source, type, left(coalesce(last_error, ''), 300) as error, failed_at
    from ${schema}.receipts
    where environment = $1::text and failed_at is not null
    order by id desc
    limit ${mostRows}
  ), grouped as (
    select max(id) as id, count(id)::int as count, max(failed_at) as last_at
    from newest
    where $2::text is null or source = $2::text
    group by source, type, ${withoutDigitsSql}
    order by count desc, id desc
    limit ${mostGroups}
  )
  select receipts.source, receipts.type, left(coalesce(receipts.last_error, ''), 300) as error, grouped.count,
    ${millisecondsSql('grouped.last_at')} as "lastAt", grouped.id::text as "exampleId",
    (select count(id) < ${mostRows} from newest) as "isComplete"
  from grouped join ${schema}.receipts on receipts.id = grouped.id
  order by grouped.count desc, grouped.id desc`

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
