import type { SourceStep, StepResult } from '../../retention-store.ts'

/** What a step's statement answers with. */
export type StepRow = { readonly removed: number; readonly next: string | null; readonly isHeld: boolean }

export function toStepResult([row]: readonly StepRow[], beforeId?: string): StepResult {
  if (row?.isHeld !== true) return { kind: 'lease_lost' }
  const isOver = row.next === null || (beforeId !== undefined && BigInt(row.next) + 1n >= BigInt(beforeId))
  return { kind: 'step', removed: row.removed, next: isOver ? undefined : (row.next ?? undefined) }
}

/** How many ids one step may go over, so that a source with few receipts among many does not make a step long. */
const longestSpan = 20_000n

export function spanEnd({ after, beforeId }: Pick<SourceStep, 'after' | 'beforeId'>): string {
  const end = BigInt(after) + longestSpan
  return String(end < BigInt(beforeId) ? end : BigInt(beforeId))
}

/** The parameters of a statement that walks the ledger, whose candidates are in a CTE of that name. */
type Walk = { readonly limit: string; readonly end: string }

export const walkedToSql = ({ limit, end }: Walk): string => `
  case when (select count(id) from candidates) < ${limit}::int then ${end}::bigint - 1 else (select max(id) from candidates) end`

/** Ids have gaps, which may be long: the next step begins where there is something. */
export const nextIdSql = (schema: string, { limit, end }: Walk): string => `
  case when (select count(id) from candidates) = ${limit}::int then (select max(id) from candidates)
    else (select min(receipts.id) - 1 from ${schema}.receipts where receipts.id >= ${end}::bigint) end`
