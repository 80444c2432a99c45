/** What people and programs changed through the admin surface. Lines are added and ended, never changed otherwise, never removed. */
export type AdminLogStore = {
  /** Written before the change is made, so that no change is without a line. Answers with its id. */
  readonly begin: (environment: string, change: AdminChange) => Promise<string>
  /** What became of it. The first who says so is kept. */
  readonly end: (environment: string, id: string, ending: AdminChangeEnding) => Promise<void>
  /** Newest first. */
  readonly find: (environment: string, filter: AdminLogFilter) => Promise<readonly AdminLogEntry[]>
}

/** Who wants to change what, and why. */
export type AdminChange = {
  readonly by: string
  readonly role: string
  /** The resource and what is done with it: `receipts.replay`. */
  readonly action: string
  /** On what: an id, a name, a filter. */
  readonly target: string
  readonly why: string | undefined
}

/** What became of a change. */
export type AdminChangeEnding = {
  readonly outcome: 'done' | 'refused' | 'failed'
  /** As JSON. */
  readonly detail: string | undefined
}

/** A change as it stands in the log. */
export type AdminLogEntry = AdminChange & {
  readonly id: string
  readonly at: Date
  /** `begun`: it is being made at this moment, or the process ended over it. */
  readonly outcome: AdminChangeEnding['outcome'] | 'begun'
  readonly detail: string | undefined
}

/** Which lines are meant. Everything given must hold. */
export type AdminLogFilter = {
  readonly by?: string | undefined
  readonly action?: string | undefined
  /** Only lines with a smaller id: the last one of the page before. */
  readonly beforeId?: string | undefined
  /** Default 50. */
  readonly limit?: number | undefined
}
