// An app as users write them, in a process of its own: tests start several, and kill them at a chosen moment.
import { createWebhookServer } from '../../src/adapters/webhook-server.ts'
import { createInbox } from '../../src/index.ts'
import { stripe } from '../../src/providers/stripe.ts'
import { type PgTransaction, postgresStore } from '../../src/store/postgres/postgres-store.ts'
import type { Store } from '../../src/store/store.ts'
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

const inbox = createInbox({
  store: withTrap(postgresStore(databaseUrl, { schema })),
  sources: { stripe: stripe({ secret }) },
  mode,
  retry: { maxAttempts, firstSeconds: 0 },
  timeoutSeconds: 120,
  worker: { leaseSeconds, ...(options.concurrency !== undefined && { concurrency: options.concurrency }) },
  logger: { info: () => {}, warn: () => {}, error: (fields, message) => console.error(message, fields) },
})

inbox.on('stripe', types, async (event, { tx }) => {
  await tx.query(`insert into "${schema}".app_effects (event_id, process_id) values ($1, $2)`, [event.id, process.pid])
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
  report({ kind: 'ready', url: `http://127.0.0.1:${port}/in/stripe` })
} else {
  report({ kind: 'ready', url: '' })
}
process.once('SIGTERM', () => void inbox.stop({ graceSeconds: options.graceSeconds ?? 10 }).then(() => process.exit(0)))
