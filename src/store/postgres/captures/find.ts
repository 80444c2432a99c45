import type { Capture, CaptureFilter, CaptureInBrief, HeaderPair } from '../../capture-store.ts'
import { type Database, millisecondsSql } from '../database.ts'
import { isReceiptId } from '../receipt-filter.ts'

const briefColumnsSql = `
  id::text as id, endpoint, ${millisecondsSql('at')} as at, method, path, query, bytes, remote_address as "remoteAddress",
  took_milliseconds as "tookMilliseconds", problem, provider, event_id as "eventId", type, answer, status::int as status, origin, rule`

type BriefRow = {
  readonly id: string
  readonly endpoint: string
  readonly at: number
  readonly method: string
  readonly path: string
  readonly query: string
  readonly bytes: number
  readonly remoteAddress: string
  readonly tookMilliseconds: number
  readonly problem: CaptureInBrief['problem'] | null
  readonly provider: string | null
  readonly eventId: string | null
  readonly type: string | null
  readonly answer: CaptureInBrief['answer']['kind']
  readonly status: number | null
  readonly origin: CaptureInBrief['answer']['origin']
  readonly rule: string | null
}

/** What is searched for stands in the path, or is where an event id or a type begins. */
const findSql = (schema: string): string => `
  select ${briefColumnsSql}
  from ${schema}.captures
  where environment = $1::text
    and ($2::text is null or endpoint = $2::text)
    and ($3::text is null or method = $3::text)
    and ($4::int is null or case when $4::int = 0 then status is null when $4::int < 10 then status / 100 = $4::int else status = $4::int end)
    and ($5::text is null or strpos(path, $5::text) > 0 or starts_with(event_id, $5::text) or starts_with(type, $5::text))
    and ($6::bigint is null or id < $6::bigint)
  order by id desc
  limit $7::int`

export async function findCaptures(
  { query, schema }: Database,
  environment: string,
  filter: CaptureFilter,
): Promise<readonly CaptureInBrief[]> {
  const { endpoint, method, status, text, beforeId, limit } = filter
  if (beforeId !== undefined && !isReceiptId(beforeId)) return []
  const rows = await query<BriefRow>(findSql(schema), [
    environment,
    endpoint ?? null,
    method ?? null,
    status ?? null,
    text ?? null,
    beforeId ?? null,
    limit,
  ])
  return rows.map((row) => toBrief(row))
}

function toBrief(row: BriefRow): CaptureInBrief {
  const { at, problem, provider, eventId, type, answer, status, origin, rule, ...rest } = row
  return {
    ...rest,
    at: new Date(at),
    problem: problem ?? undefined,
    identity: provider === null || eventId === null ? undefined : { provider, eventId, type: type ?? '' },
    answer: { kind: answer, status: status ?? undefined, origin, rule: rule ?? undefined },
  }
}

const readSql = (schema: string): string => `
  select ${briefColumnsSql}, headers, encode(content, 'hex') as content, answer_headers as "answerHeaders",
    encode(answer_body, 'hex') as "answerBody", delay_seconds as "delaySeconds", key_id as "keyId"
  from ${schema}.captures
  where environment = $1::text and id = $2::bigint`

type WholeRow = BriefRow & {
  readonly headers: string
  readonly content: string
  readonly answerHeaders: string
  readonly answerBody: string
  readonly delaySeconds: number
  readonly keyId: string | null
}

export async function readCapture(
  { query, schema }: Database,
  environment: string,
  id: string,
): Promise<Capture | undefined> {
  if (!isReceiptId(id)) return undefined
  const [row] = await query<WholeRow>(readSql(schema), [environment, id])
  if (row === undefined) return undefined
  const { headers, content, answerHeaders, answerBody, delaySeconds, keyId, ...brief } = row
  const { answer, ...rest } = toBrief(brief)
  return {
    ...rest,
    headers: JSON.parse(headers) as HeaderPair[],
    content: Buffer.from(content, 'hex'),
    answer: {
      ...answer,
      headers: JSON.parse(answerHeaders) as HeaderPair[],
      body: Buffer.from(answerBody, 'hex'),
      delaySeconds,
    },
    keyId: keyId ?? undefined,
  }
}
