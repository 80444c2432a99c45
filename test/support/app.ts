// An app as users write them, in a process of its own: tests start several, and kill them at a chosen moment.

import { Redis } from 'ioredis'
import { Pool } from 'pg'
import { createWebhookServer } from '../../src/adapters/webhook-server.ts'
import { createInbox, type WebhookEvent } from '../../src/index.ts'
import { github } from '../../src/providers/github.ts'
import { stripe } from '../../src/providers/stripe.ts'
import { type RedisCache, redisCache } from '../../src/redis/index.ts'
import { type PgTransaction, postgresStore } from '../../src/store/postgres/postgres-store.ts'
import type { Store } from '../../src/store/store.ts'
import { handler as toHandler } from '../../src/targets/handler.ts'
import type { AppOptions, AppReport } from './app-process.ts'

const options: AppOptions = JSON.parse(process.env['APP_OPTIONS'] ?? '{}')
const {
  databaseUrl,
  schema,
  secret,
  mode,
  roles,
  killAt,
  leaseSeconds = 30,
  maxAttempts = 5,
  types = '*',
  handler = 'write',
  source = 'stripe',
  replayedBody,
  redisPort,
} = options

function die(): never {
  process.kill(process.pid, 'SIGKILL')
  // The signal is delivered at once, but the compiler cannot know.
  throw new Error('killed')
}

function report(message: AppReport): void {
  process.send?.(message)
}

/** The store with a trap at one of its verbs. */
function withTrap(store: Store<PgTransaction>): Store<PgTransaction> {
  return {
    ...store,
    async recordReceipts(receipts) {
      if (killAt === 'before_record') die()
      const recorded = await store.recordReceipts(receipts)
      if (killAt === 'after_record') die()
      return recorded
    },
    async claim(request) {
      const claims = await store.claim(request)
      if (killAt === 'after_claim' && claims.length > 0) die()
      return claims
    },
    outbox: {
      ...store.outbox,
      async publish(leases) {
        const published = await store.outbox.publish(leases)
        if (killAt === 'after_publish' && published > 0) die()
        return published
      },
    },
    async transaction(work) {
      const result = await store.transaction(async (transaction) => {
        const worked = await work(transaction)
        if (killAt === 'before_commit') die()
        return worked
      })
      if (killAt === 'after_commit') die()
      return result
    },
  }
}

function cacheAt(port: number): RedisCache {
  const client = new Redis({ port, host: '127.0.0.1', retryStrategy: () => 20 })
  // It is taken down on purpose.
  client.on('error', () => {})
  return redisCache(client)
}

const cache = redisPort === undefined ? undefined : cacheAt(redisPort)

const inbox = createInbox({
  store: withTrap(postgresStore(databaseUrl, { schema })),
  sources: { stripe: stripe({ secret }), github: github({ secret, replayedBody }) },
  targets: { outside: toHandler(receiveOutside) },
  ...(cache !== undefined && { cache }),
  ...(options.encryption !== undefined && { encryption: options.encryption }),
  mode,
  retry: { maxAttempts, firstSeconds: 0 },
  timeoutSeconds: 120,
  worker: { leaseSeconds, ...(options.concurrency !== undefined && { concurrency: options.concurrency }) },
  logger: { info: () => {}, warn: () => {}, error: (fields, message) => console.error(message, fields) },
})

/** A receiver outside of the transaction: what arrives there has happened, whatever becomes of the process. */
const outside = new Pool({ connectionString: databaseUrl, max: 2 })
async function receiveOutside(_: unknown, { idempotencyKey }: { readonly idempotencyKey: string }): Promise<void> {
  if (killAt === 'before_send') die()
  await outside.query(`insert into "${schema}".arrivals (key) values ($1)`, [idempotencyKey])
  if (killAt === 'after_send') die()
}

inbox.on(source, types, async (event: WebhookEvent, { tx, once, latest, outbox }) => {
  if (handler === 'once') {
    const write = `insert into "${schema}".app_effects (event_id, process_id) values ($1, $2)`
    const { applied, result } = await once('shared', async () => {
      await tx.query(write, [event.id, process.pid])
      return event.id
    })
    report({ kind: 'effect', applied, result })
    return
  }
  if (handler === 'latest') {
    const version = event.occurredAt ?? new Date(0)
    await latest(event.objectId ?? '', version, () =>
      tx.query(
        `insert into "${schema}".states (id, version) values ($1, $2) on conflict (id) do update set version = excluded.version`,
        [event.objectId, version.getTime() / 1000],
      ),
    )
    return
  }
  if (handler === 'outbox') await outbox.add('outside', { event: event.id })
  const eventId: string = handler === 'payload' ? event.payload.id : event.id
  await tx.query(`insert into "${schema}".app_effects (event_id, process_id) values ($1, $2)`, [eventId, process.pid])
  if (killAt === 'in_handler') die()
  if (handler === 'kill' && event.type === 'poison') die()
  if (handler === 'wait') {
    report({ kind: 'in_handler', eventId: event.id })
    await new Promise((resolve) => process.once('message', resolve))
  }
})

inbox.subscribe((event) => {
  if (event.kind === 'handler') report({ kind: 'handled', eventId: event.eventId, outcome: event.outcome })
})

if (roles.includes('worker')) await inbox.start()
if (roles.includes('receiver')) {
  const { port } = await createWebhookServer(inbox).listen({ port: 0, host: '127.0.0.1' })
  report({ kind: 'ready', url: `http://127.0.0.1:${port}/in/${source}` })
} else {
  report({ kind: 'ready', url: '' })
}

process.once('SIGTERM', () => void stop())

async function stop(): Promise<void> {
  await inbox.stop({ graceSeconds: options.graceSeconds ?? 10 })
  if (cache !== undefined) report({ kind: 'cache', counts: cache.counts() })
  process.exit(0)
}
