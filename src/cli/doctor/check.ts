import type { DurabilityReport, HealthReport, Inspection } from '../../index.ts'
import type { RedisFacts } from './redis-facts.ts'
import type { FoundSecret } from './secrets.ts'

/** Something that is wrong, or will be. */
export type Finding = {
  /** `error`: events are lost, refused or stand still, or may be at any moment. `warning`: it will come to that, or costs something. */
  readonly severity: 'error' | 'warning'
  /** What is so. */
  readonly fact: string
  /** What to do about it, in one sentence. */
  readonly cure: string
  /** To be copied, one statement each. */
  readonly sql?: readonly string[]
}

/** One thing that is looked at. It asks nobody: what it needs was read beforehand. */
export type Check = {
  readonly name: string
  readonly run: (examined: Examined) => readonly Finding[]
}

/** All that the checks may ask for. */
export type Examined = {
  /** How this program was called, for commands that are shown to be copied. */
  readonly program: string
  readonly environment: string
  readonly inspection: Inspection
  readonly durability: DurabilityReport
  /** Undefined where the tables are not there. */
  readonly health: HealthReport | undefined
  readonly app: AppSettings
  readonly secrets: readonly FoundSecret[]
  /** Undefined if no Redis was named. */
  readonly redis: { readonly use: RedisUse; readonly facts: RedisFacts } | undefined
  readonly limits: Limits
}

/** `cache`: it may forget. `messages`: it may not. */
export type RedisUse = 'cache' | 'messages'

/** What the app says in its code, where nobody else can see it. */
export type AppSettings = {
  readonly poolSize: number
  readonly concurrency: number
  readonly processes: number
}

/** From where on something is worth saying. */
export type Limits = {
  readonly skewSeconds: number
  /** How old a transaction may get. */
  readonly transactionSeconds: number
  /** How many dead rows a table may have, and for how long. */
  readonly deadRows: number
  readonly vacuumSeconds: number
  /** How much a table or an index may be larger than its rows need. */
  readonly wastedBytes: number
  /** How long something may be due, or a lease run out, without anybody taking it. */
  readonly dueSeconds: number
}

export const defaultLimits: Limits = {
  skewSeconds: 2,
  transactionSeconds: 300,
  deadRows: 50_000,
  vacuumSeconds: 600,
  wastedBytes: 32 * 1024 * 1024,
  dueSeconds: 60,
}
