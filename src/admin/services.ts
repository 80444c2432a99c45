import type { Captures } from '../capture/create-captures.ts'
import type { AdminInbox } from './admin-inbox.ts'
import type { Authentication } from './auth/authenticate.ts'
import type { Guide } from './guide.ts'
import type { Live } from './live.ts'
import type { Overview } from './overview.ts'

/** What routes work with. */
export type Services = {
  readonly inbox: AdminInbox
  readonly authentication: Authentication
  readonly live: Live
  /** How things stand, asked of the database once a second at most. */
  readonly overview: () => Promise<Overview>
  /** Capture endpoints; undefined where there are none. */
  readonly captures: Captures | undefined
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
