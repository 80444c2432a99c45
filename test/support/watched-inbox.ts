import { createAlerts } from '../../src/alerts/create-alerts.ts'
import { systemClock } from '../../src/clock.ts'
import type { AlertMessage, AlertOptions, InboxOptions, Provider } from '../../src/index.ts'
import { stripe } from '../../src/providers/stripe.ts'
import { type PgTransaction, postgresStore } from '../../src/store/postgres/postgres-store.ts'
import type { Store } from '../../src/store/store.ts'
import type { UpkeepLease } from '../../src/store/upkeep-store.ts'
import { handler } from '../../src/targets/handler.ts'
import type { TestDatabase } from './database.ts'
import { test as base, type TestInbox } from './inbox.ts'
import { until } from './until.ts'

export type WatchedInbox = TestInbox & {
  /** What has arrived at the target of the alerts. */
  readonly arrived: readonly AlertMessage[]
  /** Looks once, as the leader would, after everything that was written is counted; then sends what there is to send. */
  readonly look: () => Promise<void>
  /** The same without counting and sending: for two at once. */
  readonly evaluate: () => Promise<unknown>
}

type Options = Partial<Omit<InboxOptions<PgTransaction>, 'store' | 'sources' | 'alerts'>> & {
  readonly alerts?: Partial<AlertOptions>
}

type Fixtures = {
  /** An inbox that is watched, and looked at once so that it begins to count. Only `look` looks again. */
  readonly watched: (options?: Options) => Promise<WatchedInbox>
  /** Lets time pass: everything that has happened was so many minutes earlier. */
  readonly pass: (minutes: number) => Promise<void>
}

export const test = base.extend<Fixtures>({
  watched: async ({ makeInbox, database }, use) => {
    const store = postgresStore(database.url, { schema: database.schema })
    await use(async ({ alerts: given = {}, targets = {}, ...options } = {}) => {
      const arrived: AlertMessage[] = []
      const alerts = { to: 'ops', ...given }
      const ops = handler<AlertMessage>((message) => void arrived.push(message))
      const inbox = makeInbox({ ...options, targets: { ops, ...targets }, alerts })
      await inbox.migrate()
      const sources = new Map([['stripe', stripe({ secret: 'whsec_0123456789abcdef0123456789abcdef' }) as Provider]])
      const evaluate = evaluator(store, sources, alerts)
      await evaluate()
      const look = async (): Promise<void> => {
        await inbox.receipts.find({ limit: 0 })
        await counted(store, database)
        await evaluate()
        await inbox.drain()
      }
      return { ...inbox, arrived, look, evaluate }
    })
    await store.close()
  },
  pass: async ({ database }, use) => {
    await use((minutes) => pass(database, minutes))
  },
})

/** One evaluation with a lease of its own. */
export function evaluator(
  store: Store<PgTransaction>,
  sources: ReadonlyMap<string, Provider>,
  options: AlertOptions,
): () => Promise<unknown> {
  const { tasks } = createAlerts(options, {
    store: store.alerts,
    environment: 'default',
    sources,
    clock: systemClock,
    onMessages: () => {},
    onError: () => {},
  })
  return async () => {
    const lease = await leaseOf(store)
    return tasks[0]?.run({ lease, mayContinue: () => true, signal: new AbortController().signal })
  }
}

/** A task of its own for each, so that several hold one at once. */
let leases = 0

export async function leaseOf(store: Store<PgTransaction>): Promise<UpkeepLease> {
  leases += 1
  const tasks = [{ environment: 'leases', name: `lease-${leases}`, firstInSeconds: -1 }]
  const claim = (): ReturnType<typeof store.upkeep.claim> =>
    store.upkeep.claim({ tasks, worker: 'test', leaseSeconds: 600 })
  const claimed = await until(claim, ({ kind }) => kind === 'claimed')
  if (claimed.kind !== 'claimed') throw new Error('There is no lease.')
  return claimed.lease
}

/** Other tests on the same server may have transactions open, which are waited for. */
export async function counted(store: Store<PgTransaction>, { query, schema }: TestDatabase): Promise<void> {
  const lease = await leaseOf(store)
  await until(
    async () => {
      await store.alerts.countTraffic(lease)
      return query<{ log: string }>(
        `select log from "${schema}".traffic_marks where counted_to < case log
           when 'receipts' then (select coalesce(max(id), 0) from "${schema}".receipts)
           when 'deliveries' then (select coalesce(max(id), 0) from "${schema}".deliveries)
           else (select coalesce(max(id), 0) from "${schema}".attempts where attempt = 1 and outcome in ('failed', 'abandoned')) end`,
      )
    },
    (behind) => behind.length === 0,
  )
}

const times: Readonly<Record<string, readonly string[]>> = {
  traffic: ['bucket'],
  refusals: ['minute'],
  receipts: ['received_at', 'failed_at', 'processed_at'],
  queue: ['due_at'],
  outbox: ['due_at', 'created_at', 'failed_at'],
  attempts: ['started_at', 'ended_at'],
  alerts: ['opened_at', 'last_seen_at', 'told_at', 'reminded_at', 'resolved_at', 'acknowledged_at'],
  alert_mutes: ['until', 'at'],
}

async function pass({ query, schema }: TestDatabase, minutes: number): Promise<void> {
  for (const [table, columns] of Object.entries(times)) {
    const shifted = columns.map((column) => `${column} = ${column} - make_interval(mins => $1)`).join(', ')
    // By way of a time that is far away, so that no row meets another on its way.
    await query(`update "${schema}".${table} set ${shifted}`, [minutes + 1_000_000])
    await query(`update "${schema}".${table} set ${shifted}`, [-1_000_000])
  }
}

type History = {
  readonly days: number
  readonly events: number
  readonly copies?: number
  readonly untilMinutes?: number
}

/** So many in each five minutes, until a quarter of an hour ago unless it is said. */
export async function history({ query, schema }: TestDatabase, past: History): Promise<void> {
  const { days, events, copies = 0, untilMinutes = 15 } = past
  await query(
    `insert into "${schema}".traffic (environment, source, bucket, events, handled, copies)
     select 'default', 'stripe', bucket, $2, $2, $3
     from generate_series(
       date_bin('5 minutes', now() - make_interval(days => $1), timestamptz 'epoch'),
       date_bin('5 minutes', now() - make_interval(mins => $4), timestamptz 'epoch') - interval '5 minutes', interval '5 minutes'
     ) as bucket
     on conflict do nothing`,
    [days, events, copies, untilMinutes],
  )
}

export async function episodes({
  query,
  schema,
}: TestDatabase): Promise<readonly { rule: string; source: string; is_open: boolean }[]> {
  return query(`select rule, source, resolved_at is null as is_open from "${schema}".alerts order by id`)
}
