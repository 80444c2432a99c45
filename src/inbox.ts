import { createFetchHandler, type FetchHandler } from './adapters/fetch.ts'
import { createShadowFetch } from './adapters/shadow-fetch.ts'
import { type AdminView, createAdminView } from './admin-view.ts'
import { type AlertView, createAlertView } from './alert-view.ts'
import { assemble, type Parts } from './assemble.ts'
import { type AutomationView, createAutomationView } from './automation-view.ts'
import { systemClock } from './clock.ts'
import type { Datastore } from './datastore/datastore.ts'
import { createDatastoreView } from './datastore-view.ts'
import type { DeliveryInput } from './delivery/delivery.ts'
import type { Door } from './delivery/door.ts'
import type { Outcome } from './delivery/outcome.ts'
import type { BatchHandler, Handler, HandlerOptions } from './effects/handler.ts'
import { invalidOptions } from './errors.ts'
import type { InboxListener } from './events.ts'
import { createLedgerView, type LedgerView, type Replay } from './ledger-view.ts'
import { createReadMeters, type ReadMeters } from './meters.ts'
import { openDoor } from './open-door.ts'
import { checkOptions, type InboxOptions, type SourceMap } from './options.ts'
import type { PayloadOf } from './payloads/payloads.ts'
import { type RekeyOptions, type RekeyReport, rekey } from './privacy/rekey.ts'
import type { ClaimResult } from './process-claim.ts'
import { type Gauges, withQuietOnes } from './receipt/gauges.ts'
import type { RetryPattern, RetryPatternFilter } from './receipt/retry-pattern.ts'
import type { Recovery } from './recovery/recovery.ts'
import type { RelayReport } from './relay.ts'
import { createRetentionView, type RetentionView } from './retention-view.ts'
import { createRetryPatterns } from './retry-patterns.ts'
import type { Shadow } from './shadow/shadow.ts'
import type { DurabilityReport } from './store/durability-report.ts'
import type { MigrationReport, StatusCount } from './store/store.ts'

/** How many events ended how, and how many messages of the outbox were sent. */
export type DrainReport = Readonly<Record<ClaimResult, number>> & RelayReport

/** A webhook inbox: receives deliveries, runs handlers, each event once. */
export type Inbox<Tx, Sources extends SourceMap = SourceMap> = Recovery & {
  /** Runs the handler for every event of these types: a type, several, a beginning as in `invoice.*`, or `*`. */
  readonly on: {
    <
      Source extends keyof Sources & string,
      const Types extends string | readonly string[],
      Payload = PayloadOf<NonNullable<Sources[Source]['~payloads']>, Types>,
    >(
      source: Source,
      types: Types,
      handler: Handler<Tx, Payload>,
      options?: HandlerOptions<Payload>,
    ): Inbox<Tx, Sources>
    /** With `batch`, up to so many events in one call and one transaction. Queued mode only. */
    <
      Source extends keyof Sources & string,
      const Types extends string | readonly string[],
      Payload = PayloadOf<NonNullable<Sources[Source]['~payloads']>, Types>,
    >(
      source: Source,
      types: Types,
      handler: BatchHandler<Tx, Payload>,
      options: HandlerOptions<Payload> & { readonly batch: number },
    ): Inbox<Tx, Sources>
  }
  /** For whatever speaks `Request` and `Response`. Without a source the last segment of the path names it. */
  readonly handler: (source?: keyof Sources & string) => FetchHandler
  /** The same without HTTP. */
  readonly receive: (source: keyof Sources & string, delivery: DeliveryInput) => Promise<Outcome>
  /** Runs the worker, the relay and upkeep in this process. */
  readonly start: () => Promise<void>
  /** Stops cleanly: what runs may finish within the grace (default 10 s), the rest is handed back to other workers. */
  readonly stop: (options?: { readonly graceSeconds?: number }) => Promise<void>
  /** Stops, and lets go of what the store opened itself. The end of this inbox. */
  readonly close: (options?: { readonly graceSeconds?: number }) => Promise<void>
  /** Works off what is due, upkeep too, and returns: for cron routes of serverless platforms. */
  readonly drain: (options?: { readonly limit?: number; readonly untilMs?: number }) => Promise<DrainReport>
  readonly receipts: LedgerView['receipts']
  /** Puts receipts back into the queue: failed and ignored ones, others only if the filter names their status. Answers with their ids. */
  readonly replay: Replay
  /** Messages of the outbox. */
  readonly messages: LedgerView['messages']
  readonly health: LedgerView['health']
  readonly stats: () => Promise<readonly StatusCount[]>
  /** What went wrong, when, and whether it is over. */
  readonly alerts: AlertView
  /** Small values by namespace and key, outside of handlers; inside of one use its own, which is undone with it. */
  readonly datastore: Datastore
  /** What dashboards and the like work with: see `oncehook/dashboard`. */
  readonly admin: AdminView
  /** Chains of steps on events and captured requests; undefined without the option `automations`. */
  readonly automations: AutomationView | undefined
  readonly ledgerDays: RetentionView['ledgerDays']
  readonly prune: RetentionView['prune']
  readonly pruneDryRun: RetentionView['pruneDryRun']
  /** How often, after how long and why the events of each source came again. */
  readonly retryPatterns: (filter?: RetryPatternFilter) => Promise<readonly RetryPattern[]>
  /** Backlogs, dead letters and the size of the ledger: cheap, however much there is. */
  readonly gauges: () => Promise<Gauges>
  /** How answers stand against the providers' deadlines, and which secrets still verify deliveries. */
  readonly meters: ReadMeters
  /** The names of its sources, and of its targets. */
  readonly sources: readonly (keyof Sources & string)[]
  readonly targets: readonly string[]
  /** Brings the schema to the newest version. Safe when many processes do it at once. */
  readonly migrate: () => Promise<MigrationReport>
  /** Encrypts what is stored with the current key: what is under others, and what is in the clear. In batches, while all goes on. */
  readonly rekey: (options?: RekeyOptions) => Promise<RekeyReport>
  readonly durability: () => Promise<DurabilityReport>
  /** Hears all that happens. Returns a function that ends it. */
  readonly subscribe: (listener: InboxListener) => () => void
  /** Watching a handler that is not ours, before it is replaced. */
  readonly shadow: Shadow & {
    /** Your own handler of `Request` and `Response`, watched. It is run as ever, and its response is the answer. */
    readonly handler: <Rest extends readonly unknown[]>(
      source: keyof Sources & string,
      handler: (request: Request, ...rest: Rest) => Response | Promise<Response>,
    ) => (request: Request, ...rest: Rest) => Promise<Response>
  }
  /** What adapters hand requests to. */
  readonly door: Door
}

/** Checks the options and joins the parts. No I/O until the first use. */
export function createInbox<Tx, const Sources extends SourceMap>(
  options: InboxOptions<Tx, Sources>,
): Inbox<Tx, Sources> {
  checkOptions(options)
  const { environment = 'default' } = options
  const parts = assemble(options)
  const { store, keys, sources, hub, registry, processing, worker, relay, upkeep, loops, receive } = parts
  const { ready, deliveryLog, wake, recovery, shadow } = parts

  const targets = Object.keys(options.targets ?? {})
  const door = openDoor({ ...parts, targets, drain: (given) => inbox.drain(given) })
  const { receipts, messages, replay, health } = createLedgerView({
    store,
    environment,
    processing,
    registry,
    ready,
    wake,
    deliveryLog,
  })

  const settled = async (): Promise<void> => {
    await ready()
    await deliveryLog.flush()
  }

  const retention = createRetentionView({
    store,
    environment,
    sources,
    options: options.retention,
    worker: processing.worker,
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
    emit: hub.emit,
    leaseSeconds: options.worker?.leaseSeconds ?? 30,
    ready,
  })

  const inbox: Inbox<Tx, Sources> = {
    ...retention,
    ...recovery,
    shadow: { ...shadow, handler: (source, handler) => createShadowFetch({ door, shadow, source, handler }) },
    on(
      source: string,
      types: string | readonly string[],
      handler: unknown,
      handlerOptions: HandlerOptions & { readonly batch?: number } = {},
    ) {
      if (!sources.has(source)) {
        const known = [...sources.keys()].join(', ')
        throw invalidOptions(`The handler for ${source}`, [`there is no source of that name; there are: ${known}.`])
      }
      registry.add(source, types, handler as Handler<Tx> | BatchHandler<Tx>, handlerOptions)
      return inbox
    },
    handler: (source) => createFetchHandler({ door, source }),
    receive,
    async start() {
      await ready()
      await loops.start()
    },
    async stop({ graceSeconds = 10 } = {}) {
      await loops.stop(graceSeconds)
      await deliveryLog.flush()
    },
    async close(closing) {
      await inbox.stop(closing)
      await relay.close()
      await store.close()
    },
    async drain({ limit = 1000, untilMs = 50_000 } = {}) {
      await ready()
      const startedAt = performance.now()
      const events = await worker.drain({ limit, untilMilliseconds: untilMs })
      const messages = await relay.drain(untilMs - (performance.now() - startedAt))
      await upkeep.drain(untilMs - (performance.now() - startedAt))
      await deliveryLog.flush()
      return { ...events, ...messages }
    },
    receipts,
    messages,
    replay,
    health,
    async stats() {
      await ready()
      return store.counts(environment)
    },
    alerts: createAlertView(store.alerts, environment, ready),
    datastore: createDatastoreView(store, environment, ready),
    automations: automationsOf(parts, options),
    admin: createAdminView({
      store,
      environment,
      sources,
      registry,
      hideSecrets: processing.hide,
      mode: options.mode ?? store.defaultMode,
      now: (options.clock ?? systemClock).now,
      ready,
      settled,
    }),
    retryPatterns: createRetryPatterns({
      store,
      environment,
      sources,
      mode: options.mode ?? store.defaultMode,
      settled,
    }),
    meters: createReadMeters({ store: store.meters, environment, sources, settled }),
    async gauges() {
      await ready()
      return withQuietOnes(await store.gauges(environment), inbox)
    },
    sources: Object.keys(options.sources),
    targets,
    migrate: () => store.migrate(),
    async rekey(rekeyOptions) {
      if (keys === undefined) throw invalidOptions('rekey()', ['the inbox has no option "encryption".'])
      await ready()
      return rekey({ store: store.sealed, keys, environment }, rekeyOptions)
    },
    durability: () => store.durability(),
    subscribe: hub.subscribe,
    door,
  }
  return inbox
}

function automationsOf<Tx>(parts: Parts<Tx>, options: InboxOptions<Tx>): AutomationView | undefined {
  const { automations: running, captures, processing, ready, wake, receive } = parts
  const { automations, environment = 'default' } = options
  if (running === undefined || captures === undefined || automations === undefined) return undefined
  const sources = Object.keys(options.sources)
  const { deliveryOf } = captures
  return createAutomationView({
    running,
    options: automations,
    sources,
    processing,
    environment,
    ready,
    wake,
    receive,
    deliveryOf,
  })
}
