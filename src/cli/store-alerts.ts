import { type AlertView, createInbox, type Store } from '../index.ts'
import { standardWebhooks } from '../providers/standard-webhooks.ts'
import type { SqlTransaction } from './open-store.ts'

/** Alerts of a store whose app is elsewhere. Never migrates. */
export function alertsOfStore(store: Store<SqlTransaction>, environment: string): AlertView {
  // Nothing is received here, so the source lends no more than its name.
  const sources = { any: standardWebhooks({ unverified: true }) }
  return createInbox({ store, sources, environment, migrations: 'manual' }).alerts
}
