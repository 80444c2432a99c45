import type {
  BodyRow,
  RekeyPage,
  RekeyRows,
  ReplacedBody,
  ReplacedText,
  SealedKind,
  SealedStore,
  TextRow,
} from '../sealed-store.ts'
import { bodyOf, envelopeOf } from './body-envelope.ts'
import { readSealedCaptures, replaceSealedCaptures } from './captures/sealed-captures.ts'
import type { Database } from './database.ts'
import { readSealedValues, replaceSealedValues } from './datastore/sealed-values.ts'
import { joinBodiesSql } from './event-row.ts'

/** Rows of one page, and bytes of their bodies. */
const pageRows = 500
const pageBytes = 8 << 20

export function sealedStore(database: Database): SealedStore {
  return {
    bodies: (page) => readBodies(database, page),
    replaceBodies: (replacements) => replaceBodies(database, replacements),
    texts: (kind, page) => (kind === 'value' ? readSealedValues(database, page) : readTexts(database, kind, page)),
    replaceTexts: (kind, environment, replacements) =>
      kind === 'value'
        ? replaceSealedValues(database, environment, replacements)
        : replaceTexts(database, kind, { environment, replacements }),
    captures: (page) => readSealedCaptures(database, page),
    replaceCaptures: (environment, replacements) => replaceSealedCaptures(database, environment, replacements),
  }
}

/** By receipts, as only these know of which environment a body is. The envelope of an encrypted body begins with its key. */
const bodiesSql = (schema: string): string => `
  with page as (
    select receipts.id, receipts.source, receipts.received_at, receipts.body_id
    from ${schema}.receipts
    where receipts.environment = $1::text and receipts.id > $2::bigint
    order by receipts.id
    limit ${pageRows}
  ), found as (
    select receipts.id, receipts.source, bodies.id as body_id, bodies.stored_on, bodies.content, bodies.headers,
      sum(octet_length(bodies.content)) over (order by receipts.id) - octet_length(bodies.content) as bytes_before
    from page as receipts ${joinBodiesSql(schema)}
    where left(bodies.headers, length($3::text)) <> $3::text
  )
  select (select max(id) from page)::text as "lastId", (select count(id)::int from found) as size, found.id::text as id, found.source,
    found.body_id::text as "bodyId", found.stored_on::text as "storedOn", encode(found.content, 'hex') as content,
    found.headers as envelope
  from (select 1) as one left join found on found.bytes_before < ${pageBytes}
  order by found.id`

type FoundRow = {
  /** Null if there are no more receipts. */
  readonly lastId: string | null
  readonly size: number
  /** Null, as all that follows, if nothing of this page is to be done. */
  readonly id: string | null
  readonly source: string
  readonly bodyId: string
  readonly storedOn: string
  readonly content: string
  readonly envelope: string
}

async function readBodies(
  { query, schema }: Database,
  { environment, keyId, after }: RekeyPage,
): Promise<RekeyRows<BodyRow>> {
  const prefix = `{"keyId":${JSON.stringify(keyId)}`
  const found = await query<FoundRow>(bodiesSql(schema), [environment, after ?? '0', prefix])
  const rows = found.filter(({ id }) => id !== null)
  // The events of a batch share one body.
  const bodies = new Map(
    rows.map(({ bodyId, storedOn, source, content, envelope }) => [
      bodyId,
      {
        bodyId,
        source,
        body: bodyOf(Buffer.from(content, 'hex'), envelope, source),
        row: { storedOn, envelope },
      },
    ]),
  )
  const isWhole = rows.length === (found[0]?.size ?? 0)
  const next = isWhole ? found[0]?.lastId : rows.at(-1)?.id
  return { rows: [...bodies.values()], next: next ?? undefined }
}

const replaceBodiesSql = (schema: string): string => `
  update ${schema}.bodies
  set content = decode(given.content, 'hex'), headers = given.envelope
  from unnest($1::date[], $2::uuid[], $3::text[], $4::text[], $5::text[]) as given (stored_on, id, content, envelope, envelope_before)
  where bodies.stored_on = given.stored_on and bodies.id = given.id and bodies.headers = given.envelope_before
  returning bodies.id`

async function replaceBodies({ query, schema }: Database, replacements: readonly ReplacedBody[]): Promise<number> {
  if (replacements.length === 0) return 0
  const replaced = await query(replaceBodiesSql(schema), [
    replacements.map(({ before }) => before.row.storedOn),
    replacements.map(({ before }) => before.bodyId),
    replacements.map(({ after }) => Buffer.from(after.content).toString('hex')),
    replacements.map(({ after }) => envelopeOf({ headers: after.headers, stored: after })),
    replacements.map(({ before }) => before.row.envelope),
  ])
  return replaced.length
}

type TextTable = {
  readonly table: string
  readonly text: string
  readonly id: string
  readonly idType: string
  readonly target: string
  readonly key: string
}

type RowKind = Exclude<SealedKind, 'value'>

const tables: Readonly<Record<RowKind, TextTable>> = {
  message: { table: 'outbox', text: 'message', id: 'id', idType: 'bigint', target: 'target', key: 'key' },
  result: { table: 'effects', text: 'result', id: 'key', idType: 'text', target: 'null::text', key: 'key' },
  trace: {
    table: 'automation_runs',
    text: 'steps',
    id: 'id',
    idType: 'bigint',
    target: 'automation',
    key: "receipt_id || ' ' || attempt",
  },
}

/** What is sealed is JSON after a space, and begins with its key. */
const textsSql = (schema: string, { table, text, id, idType, target, key }: TextTable): string => `
  select ${id}::text as id, ${target} as target, ${key} as key, ${text} as text
  from ${schema}.${table}
  where environment = $1::text and ($2::${idType} is null or ${id} > $2::${idType})
    and left(${text}, length($3::text)) <> $3::text
  order by ${table}.${id}
  limit ${pageRows}`

async function readTexts(
  { query, schema }: Database,
  kind: RowKind,
  { environment, keyId, after }: RekeyPage,
): Promise<RekeyRows<TextRow>> {
  const prefix = ` {"keyId":${JSON.stringify(keyId)}`
  type Row = Omit<TextRow, 'target'> & { readonly target: string | null }
  const found = await query<Row>(textsSql(schema, tables[kind]), [environment, after ?? null, prefix])
  const rows = found.map((row) => ({ ...row, target: row.target ?? undefined }))
  return { rows, next: rows.at(-1)?.id }
}

const replaceTextsSql = (schema: string, { table, text, id, idType }: TextTable): string => `
  update ${schema}.${table}
  set ${text} = given.text
  from unnest($2::${idType}[], $3::text[], $4::text[]) as given (id, text, text_before)
  where ${table}.environment = $1::text and ${table}.${id} = given.id and ${table}.${text} = given.text_before
  returning ${table}.${id}`

async function replaceTexts(
  { query, schema }: Database,
  kind: RowKind,
  { environment, replacements }: { readonly environment: string; readonly replacements: readonly ReplacedText[] },
): Promise<number> {
  if (replacements.length === 0) return 0
  const replaced = await query(replaceTextsSql(schema, tables[kind]), [
    environment,
    replacements.map(({ before }) => before.id),
    replacements.map(({ after }) => after),
    replacements.map(({ before }) => before.text),
  ])
  return replaced.length
}
