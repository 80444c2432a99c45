import type { Caller } from './auth/authenticate.ts'
import type { Peer } from './auth/origins.ts'

/** Where a request came from, and where the admin surface is mounted. */
export type Surroundings = Peer & {
  /** The path before `/api/v1`: `/admin`, or empty. */
  readonly mount: string
  /** In place of a login: a program in this process that calls for somebody. */
  readonly caller?: Caller | undefined
}
