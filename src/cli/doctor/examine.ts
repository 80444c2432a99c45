import type { HealthReport } from '../../index.ts'
import { sentenceOf } from '../failure.ts'
import type { Ledger } from '../ledger.ts'
import { allChecks } from './all-checks.ts'
import { type AppSettings, defaultLimits, type Examined, type Finding, type Limits } from './check.ts'

export type ExamineOptions = Pick<Examined, 'program' | 'environment' | 'secrets' | 'redis'> & {
  readonly app?: AppSettings
  readonly limits?: Partial<Limits>
}

/** What was found. */
export type Diagnosis = {
  readonly store: string
  readonly version: string
  readonly durability: string
  readonly checks: readonly string[]
  readonly findings: readonly (Finding & { readonly check: string })[]
  /** What could not be looked at, and why. */
  readonly unread: readonly { readonly what: string; readonly reason: string }[]
}

const defaultApp: AppSettings = { poolSize: 10, concurrency: 4, processes: 1 }

/** Reads everything once, then lets every check look at it. Rejects if the database cannot be asked at all. */
export async function examine(ledger: Ledger, options: ExamineOptions): Promise<Diagnosis> {
  const { app = defaultApp, limits = {}, ...given } = options
  const inspection = await ledger.inspect()
  const durability = await ledger.durability()
  const unread = [...inspection.unread]
  const isReadable = inspection.migrations.applied >= inspection.migrations.known
  const health = isReadable ? await readHealth(ledger, unread) : undefined
  const examined: Examined = {
    ...given,
    inspection,
    durability,
    health,
    app,
    limits: { ...defaultLimits, ...limits },
  }
  return {
    store: inspection.store,
    version: inspection.server.version,
    durability: durability.tier,
    checks: allChecks.map(({ name }) => name),
    findings: allChecks.flatMap(({ name, run }) => run(examined).map((finding) => ({ check: name, ...finding }))),
    unread: inspection.server.seesAllSessions ? unread : [...unread, hiddenSessions(inspection.server.role)],
  }
}

async function readHealth(
  ledger: Ledger,
  unread: { what: string; reason: string }[],
): Promise<HealthReport | undefined> {
  try {
    return await ledger.health()
  } catch (error) {
    unread.push({ what: 'what waits and what failed', reason: sentenceOf(error) })
    return undefined
  }
}

function hiddenSessions(role: string): Diagnosis['unread'][number] {
  return { what: 'sessions of other roles', reason: `grant pg_read_all_stats to "${role}" to have them looked at` }
}
