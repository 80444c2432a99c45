import { type AdminLedger, rareType, unknownEvent } from './admin-ledger.ts'
import type { BenchDatabase } from './databases.ts'

/** What people do, by the promise that covers it. */
export type AdminCallGroup = 'list' | 'search' | 'timeline' | 'overview'

/** A call of the admin API as the dashboard makes it. */
export type AdminCall = {
  readonly key: string
  readonly title: string
  readonly group: AdminCallGroup
  /** Its address below `/api/v1`, another one for every sample. */
  readonly path: (sample: Sample, ledger: AdminLedger) => string
  /** How many items come at least. */
  readonly leastItems: number
}

/** A receipt from somewhere in the ledger. */
export type Sample = {
  readonly id: string
  readonly eventId: string
  readonly objectId: string
  readonly deliveryId: string
  readonly at: string
}

const page = 50
const list = { group: 'list', leastItems: page } as const
const search = { group: 'search', leastItems: 1 } as const

export const adminCalls: readonly AdminCall[] = [
  { ...list, key: 'first', title: 'list, first page', path: () => '/receipts' },
  { ...list, key: 'next', title: 'list, a later page', path: ({ id }) => `/receipts?cursor=${id}` },
  { ...list, key: 'longest', title: 'list, 200 on a page', path: ({ id }) => `/receipts?limit=200&cursor=${id}` },
  { ...list, key: 'source', title: 'list of a source', path: () => '/receipts?source=billing' },
  { ...list, key: 'type', title: 'list of a type', path: () => '/receipts?type=payout.paid' },
  {
    ...list,
    key: 'rare',
    title: 'list of a type that is hardly ever there',
    leastItems: 0,
    path: ({ id }) => `/receipts?type=${rareType}&cursor=${id}`,
  },
  { ...list, key: 'processed', title: 'list of what was processed', path: () => '/receipts?status=processed' },
  {
    ...list,
    key: 'stale',
    title: 'list of what was stale',
    leastItems: 1,
    path: ({ id }) => `/receipts?status=stale,same_change&cursor=${id}`,
  },
  { ...list, key: 'failed', title: 'list of dead letters', path: () => '/receipts?status=failed' },
  {
    ...list,
    key: 'failed-source',
    title: 'list of dead letters of a source',
    path: () => '/receipts?status=failed&source=github',
  },
  { ...list, key: 'waiting', title: 'list of what waits', path: () => '/receipts?status=received,retrying' },
  {
    ...list,
    key: 'before',
    title: 'list before a time',
    path: ({ at }) => `/receipts?before=${encodeURIComponent(at)}`,
  },
  {
    ...list,
    key: 'between',
    title: 'list of a source and type between two times',
    path: ({ at }, { middleAt }) =>
      `/receipts?source=stripe&type=charge.refunded&before=${encodeURIComponent(at > middleAt ? at : middleAt)}&after=2020-01-01T00:00:00Z`,
  },
  { ...search, key: 'event', title: 'search for an event id', path: ({ eventId }) => `/receipts?q=${eventId}` },
  { ...search, key: 'object', title: 'search for an object id', path: ({ objectId }) => `/receipts?q=${objectId}` },
  { ...search, key: 'receipt', title: 'search for a receipt id', path: ({ id }) => `/receipts?q=${id}` },
  { ...search, key: 'exact', title: 'search for a type', path: () => '/receipts?q=release.published' },
  { ...search, key: 'beginning', title: 'search for the beginning of a type', path: () => '/receipts?q=customer.*' },
  {
    ...search,
    key: 'delivery',
    title: 'search for a delivery id',
    leastItems: 0,
    path: ({ deliveryId }) => `/receipts?q=${deliveryId}`,
  },
  {
    ...search,
    key: 'nowhere',
    title: 'search for what is nowhere',
    leastItems: 0,
    path: ({ id }) => `/receipts?q=${unknownEvent}&cursor=${id}`,
  },
  {
    key: 'timeline',
    title: 'timeline of a receipt',
    group: 'timeline',
    leastItems: 1,
    path: ({ id }) => `/receipts/${id}/timeline`,
  },
  {
    key: 'busiest',
    title: 'timeline of 1,300 entries',
    group: 'timeline',
    leastItems: 1300,
    path: (_, { busiestId }) => `/receipts/${busiestId}/timeline`,
  },
  { key: 'overview', title: 'overview', group: 'overview', leastItems: 0, path: () => '/overview' },
  { key: 'traffic', title: 'traffic of an hour', group: 'overview', leastItems: 0, path: () => '/traffic?minutes=60' },
  {
    key: 'days',
    title: 'traffic of three days',
    group: 'overview',
    leastItems: 0,
    path: () => '/traffic?minutes=4320',
  },
  {
    key: 'groups',
    title: 'dead letters, those alike together',
    group: 'overview',
    leastItems: 1,
    path: () => '/dead-letters/groups',
  },
  {
    key: 'messages',
    title: 'messages that failed',
    group: 'overview',
    leastItems: 1,
    path: () => '/messages?status=failed',
  },
]

/** Receipts from all over the ledger, in an order that jumps about in it; the oldest, which have no page before them, are left out. */
export async function readSamples(database: BenchDatabase, count: number): Promise<readonly Sample[]> {
  const rows = await database.query(
    `select id::text as id, event_id as "eventId", coalesce(object_id, event_id) as "objectId", delivery_id as "deliveryId",
       to_json(received_at) #>> '{}' as at
     from oncehook.receipts
     where id in (
       select min_id + (max_id - min_id) * (10 + number * 37 % 90) / 100
       from (select min(id) as min_id, max(id) as max_id from oncehook.receipts) as ends
       cross join generate_series(1, $1::int) as number
     )
     order by md5(event_id)`,
    [count],
  )
  return rows as readonly Sample[]
}
