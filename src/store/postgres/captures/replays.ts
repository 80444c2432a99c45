import type { NewReplay, ReplayPage, ReplayResult, SentReplay } from '../../capture-store.ts'
import { type Database, millisecondsSql, optionalDate } from '../database.ts'
import { isReceiptId } from '../receipt-filter.ts'
import { optionalText, storableText } from '../storable.ts'

const beginReplaySql = (schema: string): string => `
  insert into ${schema}.capture_replays (
    environment, from_kind, from_id, target, times, is_parallel, is_edited, signed_for, replayed_by, why
  ) values ($1::text, $2::text, $3::text, $4::text, $5::int, $6::boolean, $7::boolean, $8::text, $9::text, $10::text)
  returning id::text as id`

export async function beginReplay({ query, schema }: Database, replay: NewReplay): Promise<string> {
  const [row] = await query<{ readonly id: string }>(beginReplaySql(schema), [
    replay.environment,
    replay.from.kind,
    replay.from.id,
    storableText(replay.target),
    replay.times,
    replay.isParallel,
    replay.isEdited,
    optionalText(replay.signedFor),
    storableText(replay.by),
    storableText(replay.why),
  ])
  return row?.id ?? ''
}

const endReplaySql = (schema: string): string => `
  update ${schema}.capture_replays
  set ended_at = clock_timestamp(), results = $3::text
  where environment = $1::text and id = $2::bigint`

export async function endReplay(
  { query, schema }: Database,
  environment: string,
  { id, results }: { readonly id: string; readonly results: readonly ReplayResult[] },
): Promise<void> {
  await query(endReplaySql(schema), [environment, id, JSON.stringify(results)])
}

const columnsSql = `
  id::text as id, ${millisecondsSql('at')} as at, ${millisecondsSql('ended_at')} as "endedAt", from_kind as "fromKind",
  from_id as "fromId", target, times, is_parallel as "isParallel", is_edited as "isEdited", signed_for as "signedFor",
  replayed_by as by, why, results`

const findReplaysSql = (schema: string): string => `
  select ${columnsSql}
  from ${schema}.capture_replays
  where environment = $1::text and ($2::bigint is null or id < $2::bigint)
  order by id desc
  limit $3::int`

type ReplayRow = Omit<SentReplay, 'from' | 'at' | 'endedAt' | 'signedFor' | 'results'> & {
  readonly at: number
  readonly endedAt: number | null
  readonly fromKind: NewReplay['from']['kind']
  readonly fromId: string
  readonly signedFor: string | null
  readonly results: string
}

export async function findReplays(
  { query, schema }: Database,
  environment: string,
  { beforeId, limit }: ReplayPage,
): Promise<readonly SentReplay[]> {
  if (beforeId !== undefined && !isReceiptId(beforeId)) return []
  const rows = await query<ReplayRow>(findReplaysSql(schema), [environment, beforeId ?? null, limit])
  return rows.map(toReplay)
}

const readReplaySql = (schema: string): string => `
  select ${columnsSql} from ${schema}.capture_replays where environment = $1::text and id = $2::bigint`

export async function readReplay(
  { query, schema }: Database,
  environment: string,
  id: string,
): Promise<SentReplay | undefined> {
  if (!isReceiptId(id)) return undefined
  const [row] = await query<ReplayRow>(readReplaySql(schema), [environment, id])
  return row === undefined ? undefined : toReplay(row)
}

function toReplay({ fromKind, fromId, at, endedAt, signedFor, results, ...rest }: ReplayRow): SentReplay {
  return {
    ...rest,
    from: { kind: fromKind, id: fromId },
    at: new Date(at),
    endedAt: optionalDate(endedAt),
    signedFor: signedFor ?? undefined,
    results: JSON.parse(results) as ReplayResult[],
  }
}
