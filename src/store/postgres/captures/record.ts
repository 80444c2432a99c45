import { isOncehookError } from '../../../errors.ts'
import type { AnswerChange, Arrival, Decide, Decision, RecordedCapture } from '../../capture-store.ts'
import type { Database } from '../database.ts'
import type { SqlClient, SqlQuery } from '../sql-client.ts'
import { hexadecimal, optionalText, storableText } from '../storable.ts'
import { type LockedEndpoint, lockEndpointSql, putEndpoint } from './endpoints.ts'
import { rulesOf } from './rules.ts'

type Recording = { readonly arrival: Arrival; readonly decide: Decide }

const attemptsAtConflict = 5

/** One transaction, from the lock of the endpoint to the commit: rules are counted with the capture, or not at all. */
export async function recordCapture<Tx>(
  client: Pick<SqlClient<Tx>, 'transaction'>,
  { schema }: Database,
  recording: Recording,
): Promise<RecordedCapture> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await client.transaction(({ query }) => record({ query, schema }, recording))
    } catch (error) {
      if (!isOncehookError(error, 'ONCEHOOK_CONFLICT') || attempt === attemptsAtConflict) throw error
    }
  }
}

type Place = { readonly query: SqlQuery; readonly schema: string }

async function record(place: Place, { arrival, decide }: Recording): Promise<RecordedCapture> {
  const { query, schema } = place
  const { environment, endpoint: name } = arrival
  const locked = (await lock(place, arrival)) ?? (await makeEndpoint(place, arrival))
  if (typeof locked === 'string') return { kind: locked }
  const rules = await rulesOf(query, schema, { environment, name })
  const [next] = await query<{ readonly id: string }>(nextIdSql(schema))
  const id = next?.id ?? ''
  const decision = decide({ id, rules })
  await countRules(place, arrival, decision)
  const size = sizeOf(arrival, decision)
  await insert(place, { id, arrival, decision, size })
  await keepWithin(place, arrival, { captures: locked.captures + 1, bytes: locked.bytes + size })
  return { kind: 'recorded', id, answer: decision.answer }
}

async function lock({ query, schema }: Place, { environment, endpoint }: Arrival): Promise<LockedEndpoint | undefined> {
  const [locked] = await query<LockedEndpoint>(lockEndpointSql(schema), [environment, endpoint])
  return locked
}

async function makeEndpoint(
  place: Place,
  arrival: Arrival,
): Promise<LockedEndpoint | 'unknown_endpoint' | 'too_many_endpoints'> {
  const { environment, endpoint: name, mostEndpoints } = arrival
  if (mostEndpoints === undefined) return 'unknown_endpoint'
  const made = await putEndpoint(place, { environment, name, note: undefined, by: 'first request' }, mostEndpoints)
  return made === 'full' ? 'too_many_endpoints' : ((await lock(place, arrival)) ?? 'unknown_endpoint')
}

/** Known before the row is written, because the answer may name it. */
const nextIdSql = (schema: string): string => `
  select nextval(pg_get_serial_sequence('${schema}.captures', 'id'))::text as id`

const countRulesSql = (schema: string): string => `
  update ${schema}.capture_rules
  set counted = counted + (place = any ($3::int[]))::int, answered = answered + coalesce(place = $4::int, false)::int
  where environment = $1::text and endpoint = $2::text and (place = any ($3::int[]) or place = $4::int)`

async function countRules(
  { query, schema }: Place,
  { environment, endpoint }: Arrival,
  { counted, answeredBy }: Decision,
): Promise<void> {
  if (counted.length === 0 && answeredBy === undefined) return
  await query(countRulesSql(schema), [environment, endpoint, counted, answeredBy ?? null])
}

const insertSql = (schema: string): string => `
  insert into ${schema}.captures (
    id, environment, endpoint, expires_at, method, path, query, headers, content, bytes, size, remote_address, took_milliseconds, problem,
    provider, event_id, type, answer, status, answer_headers, answer_body, delay_seconds, origin, rule, key_id
  ) values (
    $1::bigint, $2::text, $3::text, clock_timestamp() + make_interval(secs => $4::float8), $5::text, $6::text, $7::text, $8::text,
    decode($9::text, 'hex'), $10::int, $11::int, $12::text, $13::float8, $14::text, $15::text, $16::text, $17::text, $18::text,
    $19::smallint, $20::text, decode($21::text, 'hex'), $22::float8, $23::text, $24::text, $25::text
  )`

type Insert = {
  readonly id: string
  readonly arrival: Arrival
  readonly decision: Decision
  readonly size: number
}

async function insert({ query, schema }: Place, { id, arrival, decision, size }: Insert): Promise<void> {
  const { answer } = decision
  const { identity } = arrival
  await query(insertSql(schema), [
    id,
    arrival.environment,
    arrival.endpoint,
    arrival.limits.days * 86_400,
    storableText(arrival.method),
    wholeText(arrival.path),
    wholeText(arrival.query),
    JSON.stringify(arrival.headers),
    hexadecimal(arrival.content),
    arrival.bytes,
    size,
    storableText(arrival.remoteAddress),
    arrival.tookMilliseconds,
    arrival.problem ?? null,
    optionalText(identity?.provider),
    optionalText(identity?.eventId),
    optionalText(identity?.type),
    answer.kind,
    answer.status ?? null,
    JSON.stringify(answer.headers),
    hexadecimal(answer.body),
    answer.delaySeconds,
    answer.origin,
    optionalText(answer.rule),
    arrival.keyId ?? null,
  ])
}

const changeAnswerSql = (schema: string): string => `
  update ${schema}.captures
  set answer = $3::text, status = $4::smallint, answer_headers = $5::text, answer_body = decode($6::text, 'hex'),
    delay_seconds = $7::float8, origin = $8::text, rule = $9::text
  where environment = $1::text and id = $2::bigint and key_id is not distinct from $10::text
  returning id`

export async function changeAnswer(
  { query, schema }: Database,
  { environment, id, answer, keyId }: AnswerChange,
): Promise<boolean> {
  const changed = await query(changeAnswerSql(schema), [
    environment,
    id,
    answer.kind,
    answer.status ?? null,
    JSON.stringify(answer.headers),
    hexadecimal(answer.body),
    answer.delaySeconds,
    answer.origin,
    optionalText(answer.rule),
    keyId ?? null,
  ])
  return changed.length === 1
}

/** What a text column takes, however long it is. */
function wholeText(text: string): string {
  return text.replaceAll('\u0000', '\ufffd').toWellFormed()
}

/** As much as it takes up, about. */
function sizeOf({ content, headers, path, query }: Arrival, { answer }: Decision): number {
  const texts = [path, query, JSON.stringify(headers), JSON.stringify(answer.headers)]
  return content.byteLength + answer.body.byteLength + texts.reduce((sum, text) => sum + text.length, 0)
}

/** How many of the oldest are looked at; as each request adds one, more are only there after the limits were lowered. */
const oldestAtOnce = 200

/** The oldest go first, as many as are too many, together too large, or past their time. */
const keepWithinSql = (schema: string): string => `
  with oldest as (
    select id, size, expires_at, row_number() over (order by id) as place, sum(size) over (order by id) as together
    from (
      select id, size, expires_at from ${schema}.captures
      where environment = $1::text and endpoint = $2::text
      order by id
      limit ${oldestAtOnce}
    ) as first
  ), gone as (
    delete from ${schema}.captures
    where id in (
      select id from oldest
      where $3::int - (place - 1) > $5::int or $4::float8 - (together - size) > $6::float8 or expires_at <= clock_timestamp()
    )
    returning size
  )
  update ${schema}.capture_endpoints
  set captures = $3::int - (select count(*) from gone), bytes = $4::float8 - (select coalesce(sum(size), 0) from gone),
    received = received + 1, last_at = clock_timestamp()
  where environment = $1::text and name = $2::text`

async function keepWithin({ query, schema }: Place, arrival: Arrival, totals: LockedEndpoint): Promise<void> {
  const { environment, endpoint, limits } = arrival
  const { captures, bytes } = totals
  await query(keepWithinSql(schema), [environment, endpoint, captures, bytes, limits.requests, limits.bytes])
}
