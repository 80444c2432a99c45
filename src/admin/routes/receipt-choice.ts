import type { ReceiptFilter } from '../../index.ts'
import { list, object } from '../compound-schema.ts'
import { isRefusal, type Refusal, refuse } from '../refusal.ts'
import { choice, type OptionalSchema, optional, type Schema, text, time } from '../schema.ts'
import { id, receiptStatuses } from './receipt-schemas.ts'

/** Which receipts a list or a filter means, as the API has it. */
export type Narrowing = {
  readonly source?: string | undefined
  readonly type?: string | undefined
  readonly status?: readonly (typeof receiptStatuses)[number][] | undefined
  readonly eventId?: string | undefined
  readonly objectId?: string | undefined
  readonly after?: Date | undefined
  readonly before?: Date | undefined
}

export const narrowing: { readonly [Name in keyof Narrowing]-?: OptionalSchema<NonNullable<Narrowing[Name]>> } = {
  source: optional(text({ most: 200 })),
  type: optional(text({ most: 512 })),
  status: optional(list(choice(receiptStatuses), { least: 1, most: receiptStatuses.length })),
  eventId: optional(text({ most: 512 })),
  objectId: optional(text({ most: 512 })),
  after: optional(time({ description: 'Received after that.' })),
  before: optional(time({ description: 'Received before that.' })),
}

/** So many can be named, or hit by a filter, in one call: more is done in several, each with a line of its own in the audit log. */
export const mostAtOnce = 1000

export type Chosen = { readonly ids?: readonly string[] | undefined; readonly filter?: Narrowing | undefined }

const chosenMembers = {
  ids: optional(list(id, { least: 1, most: mostAtOnce, description: 'These receipts.' })),
  filter: optional(
    object(narrowing, { description: `Receipts that all of this holds for, the newest ${mostAtOnce} of them.` }),
  ),
}

export const chosen: Schema<Chosen> = object(chosenMembers)

export const chosenAndWhy: Schema<Chosen & { readonly why: string }> = object({
  ...chosenMembers,
  why: text({ most: 500, description: 'The reason; it is kept with the receipts and in the audit log.' }),
})

export function filterOf({ source, type, status, eventId, objectId, after, before }: Narrowing): ReceiptFilter {
  return {
    ...(source !== undefined && { source }),
    ...(type !== undefined && { type }),
    ...(status !== undefined && { status }),
    ...(eventId !== undefined && { eventId }),
    ...(objectId !== undefined && { objectId }),
    ...(after !== undefined && { receivedAfter: after }),
    ...(before !== undefined && { receivedBefore: before }),
  }
}

/** The receipts that a call is about. Whoever names them means them whatever has become of them. */
export function chosenBy({ ids, filter }: Chosen): ReceiptFilter | Refusal {
  if ((ids === undefined) === (filter === undefined)) return refuse('bad_request', 'Give either ids or filter.')
  if (ids !== undefined) return { ids, status: ended, limit: mostAtOnce }
  if (Object.values(filter ?? {}).every((value) => value === undefined)) {
    return refuse('bad_request', 'filter is empty, which would mean everything: narrow it, for example by status.')
  }
  return { ...filterOf(filter ?? {}), limit: mostAtOnce }
}

const ended = ['failed', 'ignored', 'processed', 'stale', 'same_change'] as const

/** Does something with the chosen ones, which answers with the ids of those that it was done to. */
export async function idsOf(
  body: Chosen,
  act: (filter: ReceiptFilter) => Promise<readonly string[]>,
): Promise<{ readonly ids: readonly string[] } | Refusal> {
  const filter = chosenBy(body)
  return isRefusal(filter) ? filter : { ids: await act(filter) }
}

/** For the audit log. */
export function targetOf({ ids, filter }: Chosen): string {
  if (ids === undefined) return JSON.stringify(filter ?? {})
  return ids.length <= 20 ? ids.join(', ') : `${ids.slice(0, 20).join(', ')} and ${ids.length - 20} more`
}
