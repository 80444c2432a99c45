import type { Inbox } from '../index.ts'

/** The part of an inbox that the admin surface works with: any inbox will do, whatever its transactions and sources are. */
export type AdminInbox = Pick<
  Inbox<never>,
  | 'admin'
  | 'alerts'
  | 'automations'
  | 'datastore'
  | 'durability'
  | 'gauges'
  | 'ledgerDays'
  | 'messages'
  | 'meters'
  | 'receipts'
  | 'replay'
  | 'retryPatterns'
  | 'sources'
  | 'subscribe'
>
