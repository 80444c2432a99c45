import type { AdminChange, AdminChangeEnding, AdminLogEntry, AdminLogFilter } from './store/admin-log-store.ts'
import type { AdminSession, NewAdminSession } from './store/admin-session-store.ts'
import type { Store } from './store/store.ts'

/** What an admin surface needs besides what everybody may ask an inbox. */
export type AdminView = {
  readonly environment: string
  /** The text with `[secret]` in place of the secrets of sources. */
  readonly hideSecrets: (text: string) => string
  /** The audit log. */
  readonly log: {
    /** Written before the change is made. Answers with the id of the line. */
    readonly begin: (change: AdminChange) => Promise<string>
    readonly end: (id: string, ending: AdminChangeEnding) => Promise<void>
    /** Newest first. */
    readonly find: (filter?: AdminLogFilter) => Promise<readonly AdminLogEntry[]>
  }
  /** Who is logged in. */
  readonly sessions: {
    readonly open: (session: NewAdminSession) => Promise<void>
    readonly find: (digest: Uint8Array) => Promise<AdminSession | undefined>
    readonly close: (digest: Uint8Array) => Promise<boolean>
  }
}

export type AdminViewParts<Tx> = {
  readonly store: Store<Tx>
  readonly environment: string
  readonly hideSecrets: (text: string) => string
  readonly ready: () => Promise<void>
}

export function createAdminView<Tx>({ store, environment, hideSecrets, ready }: AdminViewParts<Tx>): AdminView {
  const { adminLog, adminSessions } = store
  return {
    environment,
    hideSecrets,
    log: {
      async begin(change) {
        await ready()
        return adminLog.begin(environment, change)
      },
      end: (id, ending) => adminLog.end(environment, id, ending),
      async find(filter = {}) {
        await ready()
        return adminLog.find(environment, filter)
      },
    },
    sessions: {
      async open(session) {
        await ready()
        await adminSessions.open(environment, session)
      },
      async find(digest) {
        await ready()
        return adminSessions.find(environment, digest)
      },
      async close(digest) {
        await ready()
        return adminSessions.close(environment, digest)
      },
    },
  }
}
