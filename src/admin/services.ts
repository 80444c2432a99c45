import type { Inbox } from '../index.ts'
import type { Authentication } from './auth/authenticate.ts'
import type { Guide } from './guide.ts'
import type { Live } from './live.ts'

/** The part of an inbox that the admin surface works with: any inbox will do, whatever its transactions and sources are. */
export type AdminInbox = Pick<
  Inbox<never>,
  | 'admin'
  | 'alerts'
  | 'automations'
  | 'datastore'
  | 'durability'
  | 'gauges'
  | 'health'
  | 'ledgerDays'
  | 'messages'
  | 'meters'
  | 'receipts'
  | 'replay'
  | 'retryPatterns'
  | 'sources'
  | 'subscribe'
>

/** What routes work with. */
export type Services = {
  readonly inbox: AdminInbox
  readonly authentication: Authentication
  readonly live: Live
  /** The guided first event; undefined where nobody is guided. */
  readonly guide: Guide | undefined
  /** Where deliveries come in, without a slash at the end; undefined where only the user knows. */
  readonly ingestUrl: string | undefined
  /** Nobody may change anything. */
  readonly isReadOnly: boolean
  /** What else this gateway has. */
  readonly features: { readonly captures: boolean; readonly datastore: boolean; readonly automations: boolean }
  /** Of this package. */
  readonly version: string
}
