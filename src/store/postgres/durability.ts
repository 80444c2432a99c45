import type { Clock } from '../../clock.ts'
import type { DurabilityReport } from '../durability-report.ts'
import type { SqlQuery } from './sql-client.ts'

const settingsSql = `
  select current_setting('fsync') as fsync, current_setting('synchronous_commit') as "synchronousCommit",
    current_setting('full_page_writes') as "fullPageWrites",
    current_setting('synchronous_standby_names') as "synchronousStandbyNames",
    current_setting('default_transaction_isolation') as isolation, current_setting('server_version') as version,
    current_setting('transaction_read_only') as "readOnly", pg_is_in_recovery() as "isStandby",
    (select count(pid)::int from pg_stat_replication) as replicas,
    (extract(epoch from clock_timestamp()) * 1000)::float8 as now`

type Settings = {
  readonly fsync: string
  readonly synchronousCommit: string
  readonly fullPageWrites: string
  readonly synchronousStandbyNames: string
  readonly isolation: string
  readonly version: string
  readonly readOnly: string
  readonly isStandby: boolean
  readonly replicas: number
  readonly now: number
}

/** What this database survives by its own settings, in words. */
export async function durability(query: SqlQuery, clock: Clock): Promise<DurabilityReport> {
  const askedAt = clock.now().getTime()
  const [settings] = await query<Settings>(settingsSql)
  const answeredAt = clock.now().getTime()
  if (settings === undefined) throw new TypeError('The database did not answer with its settings.')
  const skewSeconds = (settings.now - (askedAt + answeredAt) / 2) / 1000
  const tier = tierOf(settings)
  return {
    tier,
    summary: `PostgreSQL ${settings.version}: ${summaries[tier]}`,
    facts: {
      server_version: settings.version,
      fsync: settings.fsync,
      synchronous_commit: settings.synchronousCommit,
      full_page_writes: settings.fullPageWrites,
      synchronous_standby_names: settings.synchronousStandbyNames,
      replicas: String(settings.replicas),
      is_standby: String(settings.isStandby),
      default_transaction_isolation: settings.isolation,
      clock_skew_seconds: skewSeconds.toFixed(3),
    },
    warnings: warningsOf(settings, skewSeconds),
  }
}

type PostgresTier = 'T2-' | 'T2' | 'T3'

const summaries: Readonly<Record<PostgresTier, string>> = {
  'T2-': 'acknowledged events can be lost when the server crashes.',
  T2: 'acknowledged events survive a crash and a power cut, but not the loss of the machine.',
  T3: 'acknowledged events are on a second machine too.',
}

function tierOf({ fsync, synchronousCommit, fullPageWrites, synchronousStandbyNames }: Settings): PostgresTier {
  if (fsync !== 'on' || synchronousCommit === 'off' || fullPageWrites !== 'on') return 'T2-'
  const waitsForStandby = ['on', 'remote_apply'].includes(synchronousCommit) && synchronousStandbyNames !== ''
  return waitsForStandby ? 'T3' : 'T2'
}

const tolerableSkewSeconds = 2

function warningsOf(settings: Settings, skewSeconds: number): readonly string[] {
  const checks: readonly (readonly [boolean, string])[] = [
    [
      settings.isStandby || settings.readOnly === 'on',
      'This server only reads: it is a standby or set to read-only, so no delivery can be accepted. Connect to the primary.',
    ],
    [
      settings.fsync !== 'on',
      'fsync is off: a power cut loses acknowledged events and can destroy the database. Turn it on.',
    ],
    [
      settings.synchronousCommit === 'off',
      'synchronous_commit is off: a crash of the server loses the events acknowledged just before. Set it to on for this role or database.',
    ],
    [
      settings.fullPageWrites !== 'on',
      'full_page_writes is off: a power cut can leave half-written pages. Turn it on unless the file system prevents that.',
    ],
    [
      settings.replicas > 0 && settings.synchronousStandbyNames === '',
      'Replicas follow asynchronously: a fail-over to one loses what it had not received. Set synchronous_standby_names to prevent that.',
    ],
    [
      settings.isolation !== 'read committed',
      `default_transaction_isolation is "${settings.isolation}": Oncehook uses "read committed" in its own transactions.`,
    ],
    [
      Math.abs(skewSeconds) > tolerableSkewSeconds,
      `The clocks of this process and of the database differ by ${Math.abs(skewSeconds).toFixed(1)} s: signatures may be refused as too old. Synchronise both.`,
    ],
  ]
  return checks.filter(([applies]) => applies).map(([, sentence]) => sentence)
}
