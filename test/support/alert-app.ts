// An app that watches, in a process of its own: tests start several, and it kills itself at a chosen moment.

import { createInbox } from '../../src/index.ts'
import { stripe } from '../../src/providers/stripe.ts'
import { type PgTransaction, postgresStore } from '../../src/store/postgres/postgres-store.ts'
import type { Store } from '../../src/store/store.ts'
import { http } from '../../src/targets/http.ts'

export type AlertAppOptions = {
  readonly databaseUrl: string
  readonly schema: string
  /** Where the alerts go. */
  readonly url: string
  readonly secret: string
  /** Around the transaction that changes an episode and writes its message. */
  readonly killAt?: 'before_change' | 'after_change'
}

const options: AlertAppOptions = JSON.parse(process.env['APP_OPTIONS'] ?? '{}')
const { databaseUrl, schema, url, secret, killAt } = options

function die(): never {
  process.kill(process.pid, 'SIGKILL')
  // The signal is delivered at once, but the compiler cannot know.
  throw new Error('killed')
}

function withTrap(store: Store<PgTransaction>): Store<PgTransaction> {
  return {
    ...store,
    alerts: {
      ...store.alerts,
      async change(environment, lease, changes) {
        if (killAt === 'before_change') die()
        const written = await store.alerts.change(environment, lease, changes)
        if (killAt === 'after_change' && written > 0) die()
        return written
      },
    },
  }
}

const inbox = createInbox({
  store: withTrap(postgresStore(databaseUrl, { schema })),
  sources: { stripe: stripe({ secret: 'whsec_0123456789abcdef0123456789abcdef' }) },
  targets: { ops: http({ url, secret, allowPrivateAddresses: true }) },
  alerts: { to: 'ops', everySeconds: 1, rules: { silence: false } },
  retry: { firstSeconds: 0 },
  worker: { leaseSeconds: 1 },
  logger: { info: () => {}, warn: () => {}, error: (fields, message) => console.error(message, fields) },
})
// The lag is the cause of these tests, so nothing may be worked off: there is no handler.
await inbox.start()
process.send?.('ready')
