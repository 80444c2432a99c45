/** Who is logged in to the admin surface, for all processes that serve it. Secrets of sessions are not stored, only their digests. */
export type AdminSessionStore = {
  /** Also removes sessions that have ended. */
  readonly open: (environment: string, session: NewAdminSession) => Promise<void>
  /** Undefined if there is none, or it has ended. */
  readonly find: (environment: string, digest: Uint8Array) => Promise<AdminSession | undefined>
  /** False if there was none. */
  readonly close: (environment: string, digest: Uint8Array) => Promise<boolean>
}

/** Somebody who has logged in. */
export type AdminSession = {
  readonly name: string
  /** Tells by which token it was opened: once that is gone, so is the session. */
  readonly tokenMark: string
  readonly endsAt: Date
}

/** A session that is to be opened. */
export type NewAdminSession = Omit<AdminSession, 'endsAt'> & {
  /** SHA-256 of the session's secret. */
  readonly digest: Uint8Array
  readonly seconds: number
}
