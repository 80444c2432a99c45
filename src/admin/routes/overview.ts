import { list, object } from '../compound-schema.ts'
import { defineRoute, type Route } from '../route.ts'
import { anyText, named, nullable, number, optional, text, time, whole } from '../schema.ts'

const backlog = object({
  waiting: whole(),
  retrying: whole(),
  failed: whole({ description: 'Dead letters, counted up to 10,000.' }),
  oldestSeconds: number({ description: 'For how long the oldest has been due; 0 if nothing is.' }),
})

const overview = named(
  'Overview',
  object({
    numbers: object({
      firstAttemptErrorRate: nullable(number({ description: 'Of the last hour; null if nothing was handled.' })),
      duplicateRate: nullable(number({ description: 'Duplicates among the deliveries of the last hour.' })),
      duplicateBaseline: nullable(number({ description: 'The same of the week before.' })),
      ledgerRows: whole(),
      ledgerDelta: number({ description: 'By how much it grew in a day, what was cleaned up taken off.' }),
    }),
    windowSeconds: number({ description: 'How far back the rates look.' }),
    queue: backlog,
    outbox: backlog,
    durability: object({ tier: anyText(), summary: anyText(), warnings: list(anyText()) }),
    alerts: whole({ description: 'How many are open.' }),
    sources: whole(),
  }),
)

const bucket = object({
  at: time({ description: 'When it begins.' }),
  accepted: whole({ description: 'Deliveries of new events.' }),
  duplicates: whole(),
  refused: whole(),
  succeeded: whole({ description: 'Handler runs.' }),
  failed: whole({ description: 'Handler runs.' }),
  lagMilliseconds: nullable(number({ description: 'From the receipt to the commit, on average.' })),
})

const mostMinutes = 3 * 24 * 60
const mostBuckets = 120

export const overviewRoutes: readonly Route[] = [
  defineRoute({
    name: 'readOverview',
    method: 'GET',
    path: '/overview',
    role: 'viewer',
    summary: 'How things stand: the three numbers, what waits, what failed, how safe it is.',
    answer: overview,
    run: async ({ services }) => services.overview(),
  }),

  defineRoute({
    name: 'readTraffic',
    method: 'GET',
    path: '/traffic',
    role: 'viewer',
    summary: 'What happened in the last minutes, as all processes have counted it. Nothing of the ledger is read.',
    query: object({
      minutes: optional(whole({ least: 5, most: mostMinutes, description: 'How far back. Default 60.' })),
      source: optional(text({ most: 200 })),
    }),
    answer: object({ bucketSeconds: whole(), buckets: list(bucket, { most: mostBuckets }) }),
    run: async ({ query, services }) => {
      const { minutes = 60, source } = query
      const bucketSeconds = 60 * Math.ceil(minutes / mostBuckets)
      const buckets = await services.inbox.admin.traffic({ minutes, bucketSeconds, source })
      return {
        bucketSeconds,
        buckets: buckets.map((one) => ({ ...one, lagMilliseconds: one.lagMilliseconds ?? null })),
      }
    },
  }),
]
