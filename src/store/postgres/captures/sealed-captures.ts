import type { HeaderPair } from '../../capture-store.ts'
import type { CaptureRow, RekeyPage, RekeyRows, ReplacedCapture } from '../../sealed-store.ts'
import type { Database } from '../database.ts'
import { hexadecimal } from '../storable.ts'

/** Captures of one page, and bytes of them. */
const pageRows = 100
const pageBytes = 8 << 20

/** By the primary key. Captures are large, so a page ends where it has enough of them. */
const readSql = (schema: string): string => `
  with page as (
    select id, endpoint, query, headers, content, answer_headers, answer_body, key_id,
      sum(octet_length(content) + octet_length(answer_body)) over (order by id) - octet_length(content) - octet_length(answer_body)
        as bytes_before
    from (
      select id, endpoint, query, headers, content, answer_headers, answer_body, key_id
      from ${schema}.captures
      where environment = $1::text and id > $2::bigint and key_id is distinct from $3::text
      order by id
      limit ${pageRows}
    ) as found
  )
  select id::text as id, endpoint, query, headers, encode(content, 'hex') as content, answer_headers as "answerHeaders",
    encode(answer_body, 'hex') as "answerBody", key_id as "keyId"
  from page
  where bytes_before < ${pageBytes}
  order by page.id`

type Row = {
  readonly id: string
  readonly endpoint: string
  readonly query: string
  readonly headers: string
  readonly content: string
  readonly answerHeaders: string
  readonly answerBody: string
  readonly keyId: string | null
}

export async function readSealedCaptures(
  { query, schema }: Database,
  { environment, keyId, after }: RekeyPage,
): Promise<RekeyRows<CaptureRow>> {
  const rows = await query<Row>(readSql(schema), [environment, after ?? '0', keyId])
  return { rows: rows.map(toCapture), next: rows.at(-1)?.id }
}

function toCapture(row: Row): CaptureRow {
  return {
    id: row.id,
    endpoint: row.endpoint,
    query: row.query,
    headers: JSON.parse(row.headers) as readonly HeaderPair[],
    content: Buffer.from(row.content, 'hex'),
    answer: {
      headers: JSON.parse(row.answerHeaders) as readonly HeaderPair[],
      body: Buffer.from(row.answerBody, 'hex'),
    },
    keyId: row.keyId ?? undefined,
  }
}

/** The answer may have been changed meanwhile; the request never is. Its size stays what it was counted with. */
const replaceSql = (schema: string): string => `
  update ${schema}.captures
  set query = given.query, headers = given.headers, content = decode(given.content, 'hex'),
    answer_headers = given.answer_headers, answer_body = decode(given.answer_body, 'hex'), key_id = given.key_id
  from unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[],
      $11::text[])
    as given (id, query, headers, content, answer_headers, answer_body, key_id, key_before, headers_before, body_before)
  where captures.environment = $1::text and captures.id = given.id and captures.key_id is not distinct from given.key_before
    and captures.answer_headers = given.headers_before and captures.answer_body = decode(given.body_before, 'hex')
  returning captures.id`

export async function replaceSealedCaptures(
  { query, schema }: Database,
  environment: string,
  replacements: readonly ReplacedCapture[],
): Promise<number> {
  if (replacements.length === 0) return 0
  const replaced = await query(replaceSql(schema), [
    environment,
    replacements.map(({ before }) => before.id),
    replacements.map(({ after }) => after.query),
    replacements.map(({ after }) => JSON.stringify(after.headers)),
    replacements.map(({ after }) => hexadecimal(after.content)),
    replacements.map(({ after }) => JSON.stringify(after.answer.headers)),
    replacements.map(({ after }) => hexadecimal(after.answer.body)),
    replacements.map(({ after }) => after.keyId ?? null),
    replacements.map(({ before }) => before.keyId ?? null),
    replacements.map(({ before }) => JSON.stringify(before.answer.headers)),
    replacements.map(({ before }) => hexadecimal(before.answer.body)),
  ])
  return replaced.length
}
