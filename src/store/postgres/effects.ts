import type { EffectKey, EffectTransaction, MessageToAdd, VersionToRaise } from '../store.ts'
import { noteRun } from './automations/runs.ts'
import type { Database } from './database.ts'
import { datastoreTransaction } from './datastore/datastore-store.ts'

/** The effects of one transaction. */
export function effectTransaction(database: Database): EffectTransaction {
  return {
    claimEffect: (effect) => claimEffect(database, effect),
    keepResult: (effect, result) => keepResult(database, effect, result),
    raiseVersion: (version) => raiseVersion(database, version),
    claimChange: (change) => claimChange(database, change),
    addMessage: (message) => addMessage(database, message),
    datastore: datastoreTransaction(database),
    noteAutomationRun: (run) => noteRun(database, run),
  }
}

/** The insert waits for a transaction that holds the key, and decides when that has ended. */
const claimEffectSql = (schema: string): string => `
  insert into ${schema}.effects (environment, key, receipt_id, handler)
  values ($1::text, $2::text, $3::bigint, $4::text)
  on conflict (environment, key) do nothing
  returning key`

const readEffectSql = (schema: string): string => `
  select result from ${schema}.effects where environment = $1::text and key = $2::text`

async function claimEffect(
  { query, schema }: Database,
  { environment, key, receiptId, handler }: EffectKey,
): ReturnType<EffectTransaction['claimEffect']> {
  const claimed = await query(claimEffectSql(schema), [environment, key, receiptId, handler])
  if (claimed.length === 1) return { kind: 'first' }
  // In a statement of its own: the insert cannot see what was committed while it waited.
  const [row] = await query<{ readonly result: string | null }>(readEffectSql(schema), [environment, key])
  return { kind: 'known', result: row?.result ?? undefined }
}

const keepResultSql = (schema: string): string => `
  update ${schema}.effects set result = $3::text where environment = $1::text and key = $2::text`

async function keepResult(
  { query, schema }: Database,
  { environment, key }: EffectKey,
  result: string | undefined,
): Promise<void> {
  if (result !== undefined) await query(keepResultSql(schema), [environment, key, result])
}

/**
 * One conditional upsert. It locks the row until the transaction ends, and then the condition is checked again on what was committed:
 * of two that race, the older one never wins. Versions of another kind cannot be compared, so they change nothing.
 */
const raiseVersionSql = (schema: string): string => `
  insert into ${schema}.versions as known (environment, key, version, shown, receipt_id, kind)
  values ($1::text, $2::text, $3::text, $4::text, $5::bigint, $7::text)
  on conflict (environment, key) do update
  set version = excluded.version, shown = excluded.shown, receipt_id = excluded.receipt_id, updated_at = clock_timestamp()
  where known.kind = excluded.kind
    and (known.version < excluded.version or ($6::boolean and known.version = excluded.version))
  returning key`

const readVersionSql = (schema: string): string => `
  select kind from ${schema}.versions where environment = $1::text and key = $2::text`

async function raiseVersion(
  { query, schema }: Database,
  raise: VersionToRaise,
): Promise<'raised' | 'stale' | 'other_kind'> {
  const { environment, key, kind, version, shown, receiptId, whenEqual } = raise
  const values = [environment, key, version, shown, receiptId, whenEqual === 'apply', kind]
  const raised = await query(raiseVersionSql(schema), values)
  if (raised.length === 1) return 'raised'
  const [row] = await query<{ readonly kind: string }>(readVersionSql(schema), [environment, key])
  return row?.kind === kind ? 'stale' : 'other_kind'
}

/** A replay of the event that was first is still the first. */
const claimChangeSql = (schema: string): string => `
  insert into ${schema}.changes as known (environment, source, handler, key, receipt_id)
  values ($1::text, $2::text, $3::text, $4::text, $5::bigint)
  on conflict (environment, source, handler, key) do update
  set receipt_id = known.receipt_id
  where known.receipt_id = excluded.receipt_id
  returning key`

async function claimChange(
  { query, schema }: Database,
  change: EffectKey & { readonly source: string },
): Promise<boolean> {
  const { environment, source, handler, key, receiptId } = change
  return (await query(claimChangeSql(schema), [environment, source, handler, key, receiptId])).length === 1
}

const addMessageSql = (schema: string): string => `
  insert into ${schema}.outbox (environment, target, key, message, receipt_id, source, event_id, due_at, order_key, traceparent)
  values ($1::text, $2::text, $3::text, $4::text, $5::bigint, $6::text, $7::text,
    clock_timestamp() + make_interval(secs => $8::float8), $9::text, $10::text)
  on conflict (environment, target, key) do nothing
  returning id`

async function addMessage({ query, schema }: Database, added: MessageToAdd): Promise<boolean> {
  const { environment, target, key, message, receiptId, source, eventId, delaySeconds } = added
  const { orderKey = null, traceparent = null } = added
  const values = [environment, target, key, message, receiptId, source, eventId, delaySeconds, orderKey, traceparent]
  return (await query(addMessageSql(schema), values)).length === 1
}
