import type { EpisodeChange, EpisodeMessage } from '../../alert-store.ts'
import type { UpkeepLease } from '../../upkeep-store.ts'
import type { Database } from '../database.ts'
import type { SqlClient } from '../sql-client.ts'
import { leaseIsHeldSql } from '../upkeep.ts'
import { everySource } from './episodes.ts'

/**
 * Episodes and their messages in one transaction, behind the lease: a process that paused past it changes nothing. Each statement answers
 * with a row only if it was this one that made the change, and only then its messages are written.
 */
export function changeEpisodes<Tx>(
  client: Pick<SqlClient<Tx>, 'transaction'>,
  schema: string,
  { environment, lease, changes }: Question,
): Promise<number> {
  return client.transaction(async ({ query }) => {
    const [held] = await query<{ readonly isHeld: boolean }>(
      `select ${leaseIsHeldSql(schema, '$1::bigint')} as "isHeld"`,
      [lease.fence],
    )
    if (held?.isHeld !== true) return 0
    let written = 0
    for (const change of changes) {
      const id = await makeChange({ query, schema }, environment, change)
      for (const message of id === undefined ? [] : change.messages(id)) {
        await writeMessage({ query, schema }, { environment, id: id ?? '', source: change.source, message })
        written += 1
      }
    }
    return written
  })
}

type Question = {
  readonly environment: string
  readonly lease: UpkeepLease
  readonly changes: readonly EpisodeChange[]
}

type Place = Pick<Database, 'query' | 'schema'>

const openSql = (schema: string): string => `
  insert into ${schema}.alerts (environment, rule, source, opened_at, last_seen_at, told_at, opening_figures, latest_figures)
  values ($1::text, $2::text, $3::text, $4::timestamptz, $4::timestamptz, case when $6::boolean then $4::timestamptz end, $5::text, $5::text)
  on conflict (environment, rule, source) where resolved_at is null do nothing
  returning id::text as id`

const seeSql = (schema: string): string => `
  update ${schema}.alerts set last_seen_at = greatest(last_seen_at, $3::timestamptz), latest_figures = $4::text
  where environment = $1::text and id = $2::bigint and resolved_at is null
  returning id::text as id`

const tellSql = (schema: string): string => `
  update ${schema}.alerts
  set last_seen_at = greatest(last_seen_at, $3::timestamptz), latest_figures = $4::text, told_at = $3::timestamptz
  where environment = $1::text and id = $2::bigint and resolved_at is null and told_at is null
  returning id::text as id`

const remindSql = (schema: string): string => `
  update ${schema}.alerts
  set last_seen_at = greatest(last_seen_at, $3::timestamptz), latest_figures = $4::text, reminders = reminders + 1,
    reminded_at = $3::timestamptz
  where environment = $1::text and id = $2::bigint and resolved_at is null and reminders = $5::int
  returning id::text as id`

const resolveSql = (schema: string): string => `
  update ${schema}.alerts set resolved_at = $3::timestamptz
  where environment = $1::text and id = $2::bigint and resolved_at is null
  returning id::text as id`

/** The episode that it changed; undefined if somebody else was first. */
async function makeChange(
  { query, schema }: Place,
  environment: string,
  change: EpisodeChange,
): Promise<string | undefined> {
  const at = change.at.toISOString()
  const send = async (sql: string, ...values: readonly unknown[]): Promise<string | undefined> =>
    (await query<{ readonly id: string }>(sql, [environment, ...values]))[0]?.id
  switch (change.kind) {
    case 'open': {
      const { rule, source = everySource, figures, isTold } = change
      return send(openSql(schema), rule, source, at, JSON.stringify(figures), isTold)
    }
    case 'see':
      return send(seeSql(schema), change.id, at, JSON.stringify(change.figures))
    case 'tell':
      return send(tellSql(schema), change.id, at, JSON.stringify(change.figures))
    case 'remind':
      return send(remindSql(schema), change.id, at, JSON.stringify(change.figures), change.remindersBefore)
    case 'resolve':
      return send(resolveSql(schema), change.id, at)
  }
}

/** In the order in which they were written, so that nothing is resolved before it was told. */
const writeMessageSql = (schema: string): string => `
  insert into ${schema}.outbox (environment, target, key, message, receipt_id, source, event_id, due_at, order_key)
  values ($1::text, $2::text, $3::text, $4::text, null, $5::text, $6::text, clock_timestamp(), $6::text)
  on conflict (environment, target, key) do nothing`

type MessageOfEpisode = {
  readonly environment: string
  readonly id: string
  readonly source: string | undefined
  readonly message: EpisodeMessage
}

async function writeMessage({ query, schema }: Place, written: MessageOfEpisode): Promise<void> {
  const { environment, id, source = everySource, message } = written
  const values = [environment, message.target, message.key, message.message, source, `alert-${id}`]
  await query(writeMessageSql(schema), values)
}
