/** What a database says of itself and of our tables: facts, for `oncehook doctor`. What they mean is decided there. */
export type Inspection = {
  /** The store's name: `postgres`, `pglite`. */
  readonly store: string
  readonly schemaName: string
  readonly server: ServerFacts
  readonly migrations: MigrationFacts
  /** Of all environments in the ledger, the first few. */
  readonly environments: readonly string[]
  readonly indexes: IndexFacts
  /** Without the partitions of bodies, which are written once and dropped whole. */
  readonly tables: readonly TableFacts[]
  readonly holders: readonly CleanupHolder[]
  readonly connections: ConnectionFacts
  readonly bodies: BodyPartitionFacts
  readonly leases: readonly ExpiredLeases[]
  /** What could not be read, and why: those facts are then empty. */
  readonly unread: readonly { readonly what: string; readonly reason: string }[]
}

/** What the server says of itself. */
export type ServerFacts = {
  readonly version: string
  readonly role: string
  /** False: what other roles' sessions do is hidden from this one. */
  readonly seesAllSessions: boolean
  readonly isStandby: boolean
  readonly isReadOnly: boolean
  /** How far the database's clock is ahead of this machine's, give or take half of the round trip. */
  readonly skewSeconds: number
  readonly roundTripSeconds: number
  readonly isAutovacuumOn: boolean
  /**
   * `direct`: one session for each connection. `pooled`: something in between hands out sessions. `unknown`: this library does not say.
   */
  readonly way: 'direct' | 'pooled' | 'unknown'
  /** Whether a worker hears of new events, or has to ask for them. */
  readonly wakeUps: 'listening' | 'alone' | 'poll'
}

/** How far the tables were migrated. */
export type MigrationFacts = {
  /** 0 without tables. */
  readonly applied: number
  readonly known: number
  /** Applied ones that this version does not know and that older code cannot work with. */
  readonly breaking: readonly number[]
}

/** What became of the indexes. */
export type IndexFacts = {
  readonly missing: readonly { readonly name: string; readonly sql: string }[]
  /** Not to be used by queries, as a build that was broken off leaves them. */
  readonly invalid: readonly { readonly name: string; readonly sql: string }[]
}

/** How one table stands. */
export type TableFacts = {
  readonly name: string
  /** As the server last counted them. */
  readonly rows: number
  readonly deadRows: number
  /** From how many dead rows on autovacuum should come. */
  readonly vacuumAt: number
  readonly isAutovacuumed: boolean
  /** Undefined if it never was. */
  readonly secondsSinceVacuum: number | undefined
  readonly sizes: readonly SizeFacts[]
  /** What switches autovacuum on for it, and what vacuums it now. */
  readonly autovacuumSql: string
  readonly vacuumSql: string
}

/** Of the table itself, or of one of its indexes. */
export type SizeFacts = {
  readonly kind: 'table' | 'index'
  readonly name: string
  readonly bytes: number
  /** What it would take without gaps, by the server's statistics. Undefined without those. */
  readonly neededBytes: number | undefined
  /** What writes it anew. */
  readonly sql: string
}

/** What keeps dead rows or old log from being removed. */
export type CleanupHolder =
  | {
      readonly kind: 'transaction'
      readonly processId: number
      readonly user: string
      readonly application: string
      readonly state: string
      readonly seconds: number
    }
  | { readonly kind: 'prepared_transaction'; readonly name: string; readonly user: string; readonly seconds: number }
  | { readonly kind: 'replication_slot'; readonly name: string; readonly retainedBytes: number }

/** How full the server is. */
export type ConnectionFacts = {
  /** How many the server takes from ordinary roles. */
  readonly maximum: number
  readonly used: number
  /** Workers that listen, of those that this role can see. */
  readonly listeners: number
}

/** Where bodies are put. */
export type BodyPartitionFacts = {
  /** Of today and tomorrow (UTC), as `2026-01-31`. */
  readonly missingDays: readonly string[]
  /** Counted up to 10,000. */
  readonly rowsInDefault: number
}

/** Leases that ran out and that nobody took over. */
export type ExpiredLeases = {
  readonly table: 'queue' | 'outbox'
  readonly count: number
  readonly oldestSeconds: number
  /** Who held the oldest. */
  readonly worker: string
}

/** What is looked at, and by which clock. */
export type InspectOptions = {
  readonly environment: string
  /** This machine's clock. */
  readonly now?: () => Date
}
