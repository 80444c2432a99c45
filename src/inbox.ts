import { createFetchHandler, type FetchHandler } from './adapters/fetch.ts'
import { assemble } from './assemble.ts'
import type { DeliveryInput } from './delivery/delivery.ts'
import type { Door } from './delivery/door.ts'
import type { Outcome } from './delivery/outcome.ts'
import type { BatchHandler, Handler, HandlerOptions } from './effects/handler.ts'
import { invalidOptions } from './errors.ts'
import type { InboxListener } from './events.ts'
import { createLedgerView, type LedgerView, type Replay } from './ledger-view.ts'
import { openDoor } from './open-door.ts'
import { checkOptions, type InboxOptions, type SourceMap } from './options.ts'
import type { PayloadOf } from './payloads/payloads.ts'
import type { ClaimResult } from './process-claim.ts'
import type { RelayReport } from './relay.ts'
import type { DurabilityReport, MigrationReport, StatusCount } from './store/store.ts'

/** How many events ended how, and how many messages of the outbox were sent. */
export type DrainReport = Readonly<Record<ClaimResult, number>> & RelayReport

/** A webhook inbox: receives deliveries, runs handlers, each event once. */
export type Inbox<Tx, Sources extends SourceMap = SourceMap> = {
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
  /** Runs the worker and the relay in this process. */
  readonly start: () => Promise<void>
  /** Stops cleanly: what runs may finish within the grace (default 10 s), the rest is handed back to other workers. */
  readonly stop: (options?: { readonly graceSeconds?: number }) => Promise<void>
  /** Stops, and lets go of what the store opened itself. The end of this inbox. */
  readonly close: (options?: { readonly graceSeconds?: number }) => Promise<void>
  /** Works off what is due and returns: for cron routes of serverless platforms. */
  readonly drain: (options?: { readonly limit?: number; readonly untilMs?: number }) => Promise<DrainReport>
  readonly receipts: LedgerView['receipts']
  /** Puts receipts back into the queue: failed and ignored ones, others only if the filter names their status. Answers with their ids. */
  readonly replay: Replay
  /** Messages of the outbox. */
  readonly messages: LedgerView['messages']
  readonly stats: () => Promise<readonly StatusCount[]>
  /** Brings the schema to the newest version. Safe when many processes do it at once. */
  readonly migrate: () => Promise<MigrationReport>
  readonly durability: () => Promise<DurabilityReport>
  /** Hears all that happens. Returns a function that ends it. */
  readonly subscribe: (listener: InboxListener) => () => void
  /** What adapters hand requests to. */
  readonly door: Door
}

/** Checks the options and joins the parts. No I/O until the first use. */
export function createInbox<Tx, const Sources extends SourceMap>(
  options: InboxOptions<Tx, Sources>,
): Inbox<Tx, Sources> {
  checkOptions(options)
  const { store, environment = 'default' } = options
  const { sources, hub, registry, processing, worker, relay, loops, receive, ready, deliveryLog, wake } =
    assemble(options)

  const door = openDoor(sources, receive, hub)
  const { receipts, messages, replay } = createLedgerView({
    store,
    environment,
    processing,
    registry,
    ready,
    wake,
    deliveryLog,
  })

  const inbox: Inbox<Tx, Sources> = {
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
      await deliveryLog.flush()
      return { ...events, ...messages }
    },
    receipts,
    messages,
    replay,
    async stats() {
      await ready()
      return store.counts(environment)
    },
    migrate: () => store.migrate(),
    durability: () => store.durability(),
    subscribe: hub.subscribe,
    door,
  }
  return inbox
}
