import type { RekeyPage, RekeyRows, ReplacedText, TextRow } from '../../sealed-store.ts'
import type { Database } from '../database.ts'

/** As many values as fit into memory, however large they are. */
const pageRows = 100

/** By the primary key. What is sealed is JSON after a space, and begins with its key. */
const readSql = (schema: string): string => `
  select json_build_array(namespace, key)::text as id, namespace as target, key, value as text
  from ${schema}.datastore
  where environment = $1::text and left(value, length($3::text)) <> $3::text
    and ($2::json is null or (namespace, key) > ($2::json ->> 0, $2::json ->> 1))
  order by namespace, key
  limit ${pageRows}`

export async function readSealedValues(
  { query, schema }: Database,
  { environment, keyId, after }: RekeyPage,
): Promise<RekeyRows<TextRow>> {
  const prefix = ` {"keyId":${JSON.stringify(keyId)}`
  const rows = await query<TextRow>(readSql(schema), [environment, after ?? null, prefix])
  return { rows, next: rows.at(-1)?.id }
}

/** The value stays the same one, so its version does too. One that was changed meanwhile is left alone. */
const replaceSql = (schema: string): string => `
  update ${schema}.datastore
  set value = given.text
  from unnest($2::text[], $3::text[], $4::text[], $5::text[]) as given (namespace, key, text, text_before)
  where datastore.environment = $1::text and datastore.namespace = given.namespace and datastore.key = given.key
    and datastore.value = given.text_before
  returning datastore.key`

export async function replaceSealedValues(
  { query, schema }: Database,
  environment: string,
  replacements: readonly ReplacedText[],
): Promise<number> {
  if (replacements.length === 0) return 0
  const replaced = await query(replaceSql(schema), [
    environment,
    replacements.map(({ before }) => before.target ?? ''),
    replacements.map(({ before }) => before.key),
    replacements.map(({ after }) => after),
    replacements.map(({ before }) => before.text),
  ])
  return replaced.length
}
