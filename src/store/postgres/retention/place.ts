import type { UpkeepLease } from '../../upkeep-store.ts'
import type { Database } from '../database.ts'

const readPlaceSql = (schema: string): string => `
  select place from ${schema}.upkeep where fence = $1::bigint`

export async function readPlace({ query, schema }: Database, { fence }: UpkeepLease): Promise<string | undefined> {
  const [row] = await query<{ readonly place: string | null }>(readPlaceSql(schema), [fence])
  return row?.place ?? undefined
}

const savePlaceSql = (schema: string): string => `
  update ${schema}.upkeep set place = $2::text where fence = $1::bigint`

/** Whoever has lost the lease has another fence than the row, and changes nothing. */
export async function savePlace({ query, schema }: Database, { fence }: UpkeepLease, place: string): Promise<void> {
  await query(savePlaceSql(schema), [fence, place])
}
