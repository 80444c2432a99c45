import type { DurabilityReport } from '../durability-report.ts'
import type { SqlQuery } from '../postgres/sql-client.ts'
import type { Location } from './database-holder.ts'

const settingsSql = `
  select current_setting('fsync') as fsync, current_setting('synchronous_commit') as "synchronousCommit",
    current_setting('full_page_writes') as "fullPageWrites", current_setting('server_version') as version`

type Settings = {
  readonly fsync: string
  readonly synchronousCommit: string
  readonly fullPageWrites: string
  readonly version: string
}

/** What a PGlite store survives, by where it is and by what its Postgres says of itself. */
export async function pgliteDurability(kind: Location['kind'], query: SqlQuery): Promise<DurabilityReport> {
  const [settings] = await query<Settings>(settingsSql)
  if (settings === undefined) throw new TypeError('The database did not answer with its settings.')
  const { fsync, synchronousCommit, fullPageWrites, version } = settings
  const isSynced = kind === 'directory' && fsync === 'on' && synchronousCommit !== 'off' && fullPageWrites === 'on'
  const { survives, warnings } = isSynced ? synced : unsynced[kind]
  return {
    tier: isSynced ? 'T1+' : 'T1',
    summary: `PGlite (PostgreSQL ${version}): ${survives}`,
    facts: {
      server_version: version,
      where: kind,
      fsync,
      synchronous_commit: synchronousCommit,
      full_page_writes: fullPageWrites,
    },
    warnings,
  }
}

type Words = { readonly survives: string; readonly warnings: readonly string[] }

const synced: Words = {
  survives: 'acknowledged events survive a crash and a power cut, but not the loss of the machine.',
  warnings: [],
}

const unsynced: Readonly<Record<Location['kind'], Words>> = {
  memory: {
    survives: 'events are kept in memory and are gone when the process ends.',
    warnings: [
      'This store is in memory: everything is lost with the process. Give pgliteStore a directory to keep it.',
    ],
  },
  instance: {
    survives: 'acknowledged events survive at most the end of the process.',
    warnings: [
      'This PGlite was opened by the app, and PGlite does not sync its files: a power cut loses acknowledged events, and a second process destroys the data. Give pgliteStore the directory instead.',
    ],
  },
  directory: {
    survives: 'acknowledged events survive the end of the process, but not a power cut.',
    warnings: ['fsync, synchronous_commit or full_page_writes was turned off: a power cut loses acknowledged events.'],
  },
}
