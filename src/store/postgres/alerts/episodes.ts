import type { ActiveMute, AlertFigures, AlertFilter, AlertMute, AlertNote, Episode } from '../../alert-store.ts'
import { type Database, millisecondsSql, optionalDate } from '../database.ts'
import { optionalText, storableText } from '../storable.ts'

const findEpisodesSql = (schema: string): string => `
  select id::text as id, environment, rule, source, ${millisecondsSql('opened_at')} as "openedAt",
    ${millisecondsSql('last_seen_at')} as "lastSeenAt", ${millisecondsSql('resolved_at')} as "resolvedAt",
    ${millisecondsSql('told_at')} as "toldAt", reminders, ${millisecondsSql('reminded_at')} as "remindedAt",
    opening_figures as "openingFigures", latest_figures as "latestFigures",
    ${millisecondsSql('acknowledged_at')} as "acknowledgedAt", acknowledged_by as "by", acknowledged_why as why
  from ${schema}.alerts
  where environment = $1::text and ($2::bigint is null or id = $2::bigint) and ($3::text is null or rule = $3::text)
    and ($4::text is null or source = $4::text) and ($5::boolean is null or (resolved_at is null) = $5::boolean)
    and ($6::timestamptz is null or resolved_at is null or resolved_at >= $6::timestamptz)
  order by id desc
  limit $7::bigint`

type EpisodeRow = Pick<Episode, 'id' | 'environment' | 'rule' | 'reminders'> & {
  readonly source: string
  readonly openedAt: number
  readonly lastSeenAt: number
  readonly resolvedAt: number | null
  readonly toldAt: number | null
  readonly remindedAt: number | null
  readonly openingFigures: string
  readonly latestFigures: string
  readonly acknowledgedAt: number | null
  readonly by: string | null
  readonly why: string | null
}

export async function findEpisodes(
  { query, schema }: Database,
  environment: string,
  { id, rule, source, isOpen, since, limit = 50 }: AlertFilter,
): Promise<readonly Episode[]> {
  // What is no number is the id of nothing, and PostgreSQL would refuse it.
  if (id !== undefined && !isEpisodeId(id)) return []
  const rows = await query<EpisodeRow>(findEpisodesSql(schema), [
    environment,
    id ?? null,
    rule ?? null,
    optionalText(source),
    isOpen ?? null,
    since?.toISOString() ?? null,
    limit,
  ])
  return rows.map(toEpisode)
}

function toEpisode(row: EpisodeRow): Episode {
  const { id, environment, rule, source, reminders, by, why } = row
  const acknowledgedAt = optionalDate(row.acknowledgedAt)
  return {
    id,
    environment,
    rule,
    source: source === everySource ? undefined : source,
    openedAt: new Date(row.openedAt),
    lastSeenAt: new Date(row.lastSeenAt),
    resolvedAt: optionalDate(row.resolvedAt),
    toldAt: optionalDate(row.toldAt),
    reminders,
    remindedAt: optionalDate(row.remindedAt),
    openingFigures: JSON.parse(row.openingFigures) as AlertFigures,
    latestFigures: JSON.parse(row.latestFigures) as AlertFigures,
    acknowledged: acknowledgedAt === undefined ? undefined : { at: acknowledgedAt, by: by ?? '', why: why ?? '' },
  }
}

/** How the tables spell "all of them", which no source can be called. */
export const everySource = '*'

/** The first who says so is kept. */
const acknowledgeSql = (schema: string): string => `
  update ${schema}.alerts
  set acknowledged_at = coalesce(acknowledged_at, clock_timestamp()), acknowledged_by = coalesce(acknowledged_by, $3::text),
    acknowledged_why = coalesce(acknowledged_why, $4::text)
  where environment = $1::text and id = $2::bigint and resolved_at is null
  returning id`

export async function acknowledgeEpisode(
  { query, schema }: Database,
  environment: string,
  { id, by, why }: AlertNote & { readonly id: string },
): Promise<boolean> {
  if (!isEpisodeId(id)) return false
  const values = [environment, id, storableText(by), storableText(why)]
  return (await query(acknowledgeSql(schema), values)).length === 1
}

const muteSql = (schema: string): string => `
  insert into ${schema}.alert_mutes (environment, rule, source, until, "by", why)
  values ($1::text, $2::text, $3::text, $4::timestamptz, $5::text, $6::text)`

export async function muteAlerts({ query, schema }: Database, environment: string, mute: AlertMute): Promise<void> {
  const { rule = '*', source = everySource, until, by, why } = mute
  const place = [environment, rule, storableText(source)]
  await query(muteSql(schema), [...place, until.toISOString(), storableText(by), storableText(why)])
}

/** One that has ended already ends what was muted, and says who did it. */
const unmuteSql = (schema: string): string => `
  insert into ${schema}.alert_mutes (environment, rule, source, until, "by", why)
  select environment, rule, source, clock_timestamp(), $3::text, $4::text
  from ${schema}.alert_mutes as muted
  where environment = $1::text and id = $2::bigint and until > clock_timestamp() and not exists (
    select from ${schema}.alert_mutes as later
    where later.environment = muted.environment and later.rule = muted.rule and later.source = muted.source and later.id > muted.id
  )
  returning id`

export async function unmuteAlerts(
  { query, schema }: Database,
  environment: string,
  { id, by, why }: AlertNote & { readonly id: string },
): Promise<boolean> {
  if (!isEpisodeId(id)) return false
  const values = [environment, id, storableText(by), storableText(why)]
  return (await query(unmuteSql(schema), values)).length === 1
}

/** The latest for each rule and source decides, also one that ends what was muted before. */
const findMutesSql = (schema: string): string => `
  select id::text as id, rule, source, until, "by", why
  from (
    select distinct on (rule, source) id, rule, source, ${millisecondsSql('until')} as until, "by", why, until > clock_timestamp() as is_in_force
    from ${schema}.alert_mutes
    where environment = $1::text
    order by rule, source, id desc
  ) as latest
  where is_in_force
  order by rule, source`

type MuteRow = {
  readonly id: string
  readonly rule: string
  readonly source: string
  readonly until: number
} & AlertNote

export async function findMutes({ query, schema }: Database, environment: string): Promise<readonly ActiveMute[]> {
  const rows = await query<MuteRow>(findMutesSql(schema), [environment])
  return rows.map(({ id, rule, source, until, by, why }) => ({
    id,
    ...(rule !== '*' && { rule }),
    ...(source !== everySource && { source }),
    until: new Date(until),
    by,
    why,
  }))
}

function isEpisodeId(text: string): boolean {
  return /^\d{1,18}$/.test(text)
}
