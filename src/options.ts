import { type AlertOptions, mistakesInAlerts } from './alerts/alert-options.ts'
import { type AutomationOptions, automationOptionMistakes } from './automation/automation-options.ts'
import type { Clock } from './clock.ts'
import type { Logger } from './effects/handler.ts'
import { invalidOptions } from './errors.ts'
import { type Encryption, encryptionMistakes } from './privacy/encryption.ts'
import { type Redact, redactMistakes } from './privacy/redaction.ts'
import type { RetryOptions } from './receipt/backoff.ts'
import { type Cache, cacheMistakes } from './receipt/cache.ts'
import type { AutomaticBackfillOptions } from './recovery/automatic-backfill.ts'
import { type RetentionOptions, retentionMistakes } from './retention/retention-options.ts'
import type { Store } from './store/store.ts'
import type { Target } from './targets/target.ts'
import type { Tracing } from './tracing.ts'
import type { Provider } from './verify/provider.ts'
import type { WorkerOptions } from './worker.ts'

/** All that an inbox can be told. */
export type InboxOptions<Tx, Sources extends SourceMap = SourceMap> = {
  /** `postgresStore(pool)` or `pgliteStore(directory)`. */
  readonly store: Store<Tx>
  /** By the name under which deliveries come in: `{ stripe: stripe({ secret }) }`. */
  readonly sources: Sources
  /** Keeps test, staging and production apart on one database. Default `default`. */
  readonly environment?: string
  /** What handlers do unless they or their source say otherwise. Default: the store's (`inline` on PostgreSQL, `queued` on PGlite). */
  readonly mode?: 'inline' | 'queued'
  /** An inline handler that failed: `redeliver` asks the provider to send the event again, `queue` takes it over. Default by provider. */
  readonly whenInlineFails?: 'redeliver' | 'queue'
  /** Where `outbox.add` can send to, by name: `{ email: handler(sendMail), crm: http({ url, secret }) }`. */
  readonly targets?: Readonly<Record<string, Target>>
  /** `memoryCache()` or `redisCache(client)`: remembers committed receipts, so that duplicates need not ask the store. Default: only in storms of duplicates. */
  readonly cache?: Cache
  /** Tells a target when something goes wrong: spikes, errors, lag, dead letters, silence. Default: nobody is told. */
  readonly alerts?: AlertOptions
  /** Chains of steps on events and captured requests, from here or defined by hand while it runs. Default: there are none. */
  readonly automations?: AutomationOptions
  readonly retry?: RetryOptions
  /** How long a handler may run. Default 30. */
  readonly timeoutSeconds?: number
  /** How old an event may get by being deferred. Default 3 days. */
  readonly maximumDeferSeconds?: number
  readonly worker?: WorkerOptions
  /** Follows deliveries to their effects: `openTelemetryTracing(api)`. Default: none. */
  readonly tracing?: Tracing
  /** How what is past its days is removed. `off`: nothing is. Default: a little every hour. */
  readonly retention?: RetentionOptions | 'off'
  /** Default: warnings and errors to the console. */
  readonly logger?: Logger
  /** What is left out of bodies before they are stored, for sources that do not say so themselves: paths, or a function. */
  readonly redact?: Redact
  /** Encrypts what is stored of bodies, messages and results: `{ keys, current }`. Default: nothing is encrypted. */
  readonly encryption?: Encryption
  /** `automatic`: the schema is brought up to date before the first use. `manual`: you call `inbox.migrate()`. Default automatic. */
  readonly migrations?: 'automatic' | 'manual'
  /** Whether sources with a history are back-filled by themselves after an outage. Default: they are not. */
  readonly backfill?: AutomaticBackfillOptions
  readonly clock?: Clock
  /** Numbers from 0 to 1, for jitter. */
  readonly random?: () => number
}

/** Sources by the names under which their deliveries come in. */
export type SourceMap = Readonly<Record<string, Provider>>

/** Looks at everything at once and names every mistake. No I/O. */
export function checkOptions<Tx>(options: InboxOptions<Tx>): void {
  const { store, sources, environment = 'default', worker = {}, retry = {} } = options
  const mistakes: string[] = []
  const demand = (isRight: boolean, mistake: string): void => void (isRight || mistakes.push(mistake))

  demand(
    typeof store?.recordReceipts === 'function',
    'store is missing: give postgresStore(pool) or pgliteStore(directory).',
  )
  demand(
    isPlainName(environment),
    `environment is ${JSON.stringify(environment)}: give 1 to 100 letters, digits, "-", "_" or ".".`,
  )
  const names = Object.keys(sources ?? {})
  demand(names.length > 0, 'sources is empty: give at least one, for example { stripe: stripe({ secret }) }.')
  for (const name of names) {
    demand(
      isPlainName(name),
      `the source name ${JSON.stringify(name)} cannot stand in a URL: use letters, digits, "-", "_" or ".".`,
    )
    demand(
      typeof sources[name]?.verify === 'function',
      `sources.${name} is not a provider: call it, as in ${name}({ secret }).`,
    )
  }
  for (const [name, target] of Object.entries(options.targets ?? {})) {
    demand(
      isPlainName(name),
      `the target name ${JSON.stringify(name)} must have letters, digits, "-", "_" or "." only.`,
    )
    demand(typeof target?.deliver === 'function', `targets.${name} is not a target: call it, as in http({ url }).`)
  }
  mistakes.push(...redactionMistakes(options), ...encryptionMistakes(options.encryption))
  const { tracing } = options
  demand(
    tracing === undefined || typeof tracing.span === 'function',
    'tracing is not a tracing: give openTelemetryTracing(api).',
  )
  demandNumber('worker.concurrency', worker.concurrency, { atLeast: 1, atMost: 1000, isWhole: true })
  demandNumber('worker.leaseSeconds', worker.leaseSeconds, { atLeast: 0.5, atMost: 86_400 })
  demandNumber('worker.pollSeconds', worker.pollSeconds, { atLeast: 0.1, atMost: 86_400 })
  demandNumber('timeoutSeconds', options.timeoutSeconds, { atLeast: 0.01, atMost: 86_400 })
  demandNumber('maximumDeferSeconds', options.maximumDeferSeconds, { atLeast: 1, atMost: 366 * 86_400 })
  demandNumber('retry.maxAttempts', retry.maxAttempts, { atLeast: 1, atMost: 1000, isWhole: true })
  demandNumber('retry.firstSeconds', retry.firstSeconds, { atLeast: 0, atMost: 86_400 })
  demandNumber('retry.factor', retry.factor, { atLeast: 1, atMost: 100 })
  demandNumber('retry.maximumSeconds', retry.maximumSeconds, { atLeast: 0, atMost: 30 * 86_400 })
  demandNumber('retry.jitter', retry.jitter, { atLeast: 0, atMost: 1 })
  demandNumber('backfill.outageSeconds', options.backfill?.outageSeconds, { atLeast: 60, atMost: 7 * 86_400 })
  if (options.automations !== undefined) {
    mistakes.push(...automationOptionMistakes(options.automations, names))
    demand(!names.includes('captures'), 'sources has captures, which is the name of captured requests for automations.')
    demand(options.targets?.['automations'] === undefined, 'targets has automations, which is the name of their own.')
  }
  if (options.alerts !== undefined) {
    const known = { targets: Object.keys(options.targets ?? {}), sources: names }
    mistakes.push(...mistakesInAlerts(options.alerts, known))
  }
  if (mistakes.length === 0) {
    const all = Object.entries(sources)
    const keepDays = all.map(([name, { settings, facts }]) => [name, settings.keepDays ?? facts.keepDays] as const)
    mistakes.push(
      ...retentionMistakes(options.retention, new Map(all)),
      ...cacheMistakes(options.cache, new Map(keepDays)),
    )
  }
  const { budgetSeconds, batchSize, keepLogDays } = options.retention === 'off' ? {} : (options.retention ?? {})
  demandNumber('retention.budgetSeconds', budgetSeconds, { atLeast: 1, atMost: 86_400 })
  demandNumber('retention.batchSize', batchSize, { atLeast: 1, atMost: 10_000, isWhole: true })
  demandNumber('retention.keepLogDays', keepLogDays, { atLeast: 1, atMost: 36_500 })
  if (mistakes.length > 0) throw invalidOptions('The inbox', mistakes)

  function demandNumber(
    name: string,
    value: unknown,
    range: { atLeast: number; atMost: number; isWhole?: boolean },
  ): void {
    if (value === undefined) return
    const { atLeast, atMost, isWhole = false } = range
    const isNumber =
      typeof value === 'number' && value >= atLeast && value <= atMost && (!isWhole || Number.isInteger(value))
    demand(
      isNumber,
      `${name} is ${JSON.stringify(value)}: give a ${isWhole ? 'whole ' : ''}number from ${atLeast} to ${atMost}.`,
    )
  }
}

function isPlainName(name: unknown): boolean {
  return typeof name === 'string' && /^[\w.-]{1,100}$/.test(name) && name !== '.' && name !== '..'
}

/** Paths of the inbox have to fit every source that has none of its own. */
function redactionMistakes({
  redact,
  sources = {},
}: Partial<Pick<InboxOptions<unknown>, 'redact' | 'sources'>>): readonly string[] {
  if (redact === undefined) return []
  const mistakes = redactMistakes(redact, false)
  if (mistakes.length > 0) return mistakes
  return Object.entries(sources).flatMap(([name, { readDocument, settings }]) =>
    settings?.redact === undefined && readDocument !== undefined
      ? redactMistakes(redact, true).map((mistake) => `sources.${name}: ${mistake}`)
      : [],
  )
}
