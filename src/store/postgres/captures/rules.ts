import type { RulesToPut, StoredRule } from '../../capture-store.ts'
import type { Database } from '../database.ts'
import type { SqlClient, SqlQuery } from '../sql-client.ts'
import { type EndpointKey, lockEndpointSql } from './endpoints.ts'

const readRulesSql = (schema: string): string => `
  select name, rule, counted::float8 as counted, answered::float8 as answered
  from ${schema}.capture_rules
  where environment = $1::text and endpoint = $2::text
  order by place`

export function rulesOf(query: SqlQuery, schema: string, key: EndpointKey): Promise<readonly StoredRule[]> {
  return query<StoredRule>(readRulesSql(schema), [key.environment, key.name])
}

const isThereSql = (schema: string): string => `
  select from ${schema}.capture_endpoints where environment = $1::text and name = $2::text`

export async function readRules(
  { query, schema }: Database,
  key: EndpointKey,
): Promise<readonly StoredRule[] | undefined> {
  const isThere = (await query(isThereSql(schema), [key.environment, key.name])).length > 0
  return isThere ? rulesOf(query, schema, key) : undefined
}

const removeRulesSql = (schema: string): string => `
  delete from ${schema}.capture_rules where environment = $1::text and endpoint = $2::text`

const addRulesSql = (schema: string): string => `
  insert into ${schema}.capture_rules (environment, endpoint, place, name, rule, counted, answered)
  select $1::text, $2::text, place, name, rule, counted, answered
  from unnest($3::int[], $4::text[], $5::text[], $6::bigint[], $7::bigint[]) as given (place, name, rule, counted, answered)`

/** Behind the endpoint's lock: no request is counted for a rule that is being replaced. */
export async function putRules<Tx>(
  client: Pick<SqlClient<Tx>, 'transaction'>,
  { schema }: Database,
  { environment, endpoint, rules, counts }: RulesToPut,
): Promise<boolean> {
  return client.transaction(async ({ query }) => {
    const key = { environment, name: endpoint }
    const [locked] = await query(lockEndpointSql(schema), [environment, endpoint])
    if (locked === undefined) return false
    const before = counts === 'keep' ? await rulesOf(query, schema, key) : []
    const known = (given: RulesToPut['rules'][number]): StoredRule | undefined =>
      before.find(({ name, rule }) => name === given.name && rule === given.rule)
    await query(removeRulesSql(schema), [environment, endpoint])
    if (rules.length === 0) return true
    await query(addRulesSql(schema), [
      environment,
      endpoint,
      rules.map((_rule, place) => place),
      rules.map(({ name }) => name),
      rules.map(({ rule }) => rule),
      rules.map((rule) => known(rule)?.counted ?? 0),
      rules.map((rule) => known(rule)?.answered ?? 0),
    ])
    return true
  })
}
