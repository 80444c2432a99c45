import type { OutboxMessage } from '../../receipt/receipt.ts'
import type { ClaimedMessage, MessageClaimRequest, MessageFailure, MessageLease, OutboxStore } from '../outbox-store.ts'
import { type Database, millisecondsSql } from './database.ts'
import { findMessages, replayMessages } from './outbox-find.ts'
import { isConflict, sqlState } from './sql-errors.ts'

/** The outbox of a store in PostgreSQL. */
export function outboxStore(database: Database): OutboxStore {
  return {
    claim: (request) => claimMessages(database, request),
    publish: (leases) => publish(database, leases),
    retryLater: (failures) => putBack(database, failures),
    deadLetter: (failures) => bury(database, failures),
    handBack: (leases) => handBack(database, leases),
    renewLeases: (leases, leaseSeconds) => renewLeases(database, leases, leaseSeconds),
    millisecondsUntilDue: ({ environment, target }) => millisecondsUntilDue(database, environment, target),
    find: (environment, filter) => findMessages(database, environment, filter),
    replay: (environment, filter) => replayMessages(database, environment, filter),
  }
}

/** As in the queue of events: of one order key only the earliest, and none while another is leased. */
const isItsTurnSql = (schema: string): string => `
  (outbox.order_key is null or not exists (
    select from ${schema}.outbox as other
    where other.environment = outbox.environment and other.target = outbox.target and other.order_key = outbox.order_key
      and other.status = 'pending' and other.id <> outbox.id
      and (other.leased_by is not null or (outbox.leased_by is null and other.id < outbox.id))
  ))`

const claimMessagesSql = (schema: string): string => `
  with due as (
    select outbox.id, outbox.due_at
    from ${schema}.outbox
    where outbox.environment = $1::text and outbox.target = $2::text and outbox.status = 'pending'
      and outbox.due_at <= (select clock_timestamp()) and ${isItsTurnSql(schema)}
    order by outbox.due_at
    limit $4::int
    for update skip locked
  )
  update ${schema}.outbox
  set fence = nextval('${schema}.fences'), attempts = outbox.attempts + 1, leased_by = $3::text,
    due_at = clock_timestamp() + make_interval(secs => $5::float8)
  from due
  where outbox.id = due.id
  returning outbox.id::text as id, outbox.fence::text as fence, outbox.key, outbox.message, outbox.attempts as attempt,
    ${millisecondsSql('outbox.created_at')} as "createdAt", outbox.source, outbox.event_id as "eventId",
    outbox.receipt_id::text as "receiptId", ${millisecondsSql('due.due_at')} as "dueAt",
    outbox.order_key is not null as "isOrdered", outbox.traceparent`

type MessageRow = {
  readonly id: string
  readonly fence: string
  readonly key: string
  readonly message: string
  readonly attempt: number
  readonly createdAt: number
  readonly source: string
  readonly eventId: string
  readonly receiptId: string | null
  readonly dueAt: number
  readonly isOrdered: boolean
  readonly traceparent: string | null
}

const attemptsToClaim = 5

async function claimMessages(
  { query, schema }: Database,
  request: MessageClaimRequest,
): Promise<readonly ClaimedMessage[]> {
  const { environment, target, worker, limit, leaseSeconds } = request
  for (let attempt = 1; ; attempt += 1) {
    try {
      const rows = await query<MessageRow>(claimMessagesSql(schema), [environment, target, worker, limit, leaseSeconds])
      // `returning` has no order of its own.
      return rows
        .toSorted((one, other) => one.dueAt - other.dueAt || Number(one.id) - Number(other.id))
        .map((row) => toClaimed(row, target))
    } catch (error) {
      const isRace = sqlState(error) === '23505' || isConflict(error)
      if (!isRace || attempt === attemptsToClaim) throw error
    }
  }
}

function toClaimed(
  { id, fence, key, message, attempt, createdAt, source, eventId, receiptId, isOrdered, traceparent }: MessageRow,
  target: string,
): ClaimedMessage {
  return {
    lease: { messageId: id, fence },
    isOrdered,
    message: {
      id,
      idempotencyKey: key,
      target,
      message: JSON.parse(message) as unknown,
      json: message,
      attempt,
      createdAt: new Date(createdAt),
      cause: { source, eventId, receiptId: receiptId ?? undefined },
      ...(traceparent !== null && { traceparent }),
    },
  }
}

const leasesSql = 'unnest($1::bigint[], $2::bigint[]) as lease (id, fence)'

/** The fence in the condition: a relay that paused past its lease marks nothing. */
const publishSql = (schema: string): string => `
  update ${schema}.outbox
  set status = 'published', published_at = clock_timestamp(), fence = null, leased_by = null, last_error = null
  from ${leasesSql}
  where outbox.id = lease.id and outbox.fence = lease.fence
  returning outbox.id`

async function publish({ query, schema }: Database, leases: readonly MessageLease[]): Promise<number> {
  return leases.length === 0 ? 0 : (await query(publishSql(schema), leaseValues(leases))).length
}

const failuresSql =
  'unnest($1::bigint[], $2::bigint[], $3::float8[], $4::text[]) as failure (id, fence, seconds, error)'

const putBackSql = (schema: string): string => `
  update ${schema}.outbox
  set fence = null, leased_by = null, due_at = clock_timestamp() + make_interval(secs => failure.seconds),
    last_error = failure.error
  from ${failuresSql}
  where outbox.id = failure.id and outbox.fence = failure.fence`

async function putBack({ query, schema }: Database, failures: readonly MessageFailure[]): Promise<void> {
  if (failures.length > 0) await query(putBackSql(schema), failureValues(failures))
}

const burySql = (schema: string): string => `
  update ${schema}.outbox
  set status = 'failed', fence = null, leased_by = null, last_error = failure.error, failed_at = clock_timestamp()
  from ${failuresSql}
  where outbox.id = failure.id and outbox.fence = failure.fence`

async function bury({ query, schema }: Database, failures: readonly MessageFailure[]): Promise<void> {
  if (failures.length > 0) await query(burySql(schema), failureValues(failures))
}

/** The attempt is taken back, because nothing was sent. */
const handBackSql = (schema: string): string => `
  update ${schema}.outbox
  set fence = null, leased_by = null, due_at = clock_timestamp(), attempts = greatest(0, outbox.attempts - 1)
  from ${leasesSql}
  where outbox.id = lease.id and outbox.fence = lease.fence`

async function handBack({ query, schema }: Database, leases: readonly MessageLease[]): Promise<void> {
  if (leases.length > 0) await query(handBackSql(schema), leaseValues(leases))
}

const renewSql = (schema: string): string => `
  update ${schema}.outbox
  set due_at = clock_timestamp() + make_interval(secs => $3::float8)
  from ${leasesSql}
  where outbox.id = lease.id and outbox.fence = lease.fence
  returning outbox.id::text as id`

async function renewLeases(
  { query, schema }: Database,
  leases: readonly MessageLease[],
  leaseSeconds: number,
): Promise<readonly string[]> {
  if (leases.length === 0) return []
  const rows = await query<Pick<OutboxMessage, 'id'>>(renewSql(schema), [...leaseValues(leases), leaseSeconds])
  return rows.map(({ id }) => id)
}

const untilDueSql = (schema: string): string => `
  select greatest(0, extract(epoch from outbox.due_at - clock_timestamp()) * 1000)::float8 as milliseconds
  from ${schema}.outbox
  where outbox.environment = $1::text and outbox.target = $2::text and outbox.status = 'pending' and ${isItsTurnSql(schema)}
  order by outbox.due_at
  limit 1`

async function millisecondsUntilDue(
  { query, schema }: Database,
  environment: string,
  target: string,
): Promise<number | undefined> {
  const [row] = await query<{ readonly milliseconds: number }>(untilDueSql(schema), [environment, target])
  return row === undefined ? undefined : Math.ceil(row.milliseconds)
}

function leaseValues(leases: readonly MessageLease[]): readonly unknown[] {
  return [leases.map(({ messageId }) => messageId), leases.map(({ fence }) => fence)]
}

function failureValues(failures: readonly MessageFailure[]): readonly unknown[] {
  return [
    ...leaseValues(failures.map(({ lease }) => lease)),
    failures.map(({ seconds }) => seconds),
    failures.map(({ error }) => error),
  ]
}
