import { createFetchHandler, type FetchHandler } from './adapters/fetch.ts'
import { assemble } from './assemble.ts'
import { answerOf } from './delivery/answer.ts'
import type { DeliveryInput } from './delivery/delivery.ts'
import type { Door } from './delivery/door.ts'
import type { Outcome } from './delivery/outcome.ts'
import type { Handler, HandlerOptions } from './effects/handler.ts'
import { describeError, invalidOptions } from './errors.ts'
import type { InboxListener } from './events.ts'
import { checkOptions, type InboxOptions, type SourceMap } from './options.ts'
import type { PayloadOf } from './payloads/payloads.ts'
import { previewReplay, type ReplayPreview } from './preview.ts'
import type { ClaimResult } from './process-claim.ts'
import type { OutboxMessage, Receipt, ReceiptFilter, TimelineEntry } from './receipt/receipt.ts'
import type { RelayReport } from './relay.ts'
import type { MessageFilter } from './store/outbox-store.ts'
import type { DurabilityReport, MigrationReport, ReplayNote, StatusCount, StoredBody } from './store/store.ts'

/** `preview` runs the handlers in transactions that are rolled back, and says what they would do. */
export type Replay = {
  (filter: ReceiptFilter, note: ReplayNote & { readonly preview?: false }): Promise<readonly string[]>
  (filter: ReceiptFilter, note: Partial<ReplayNote> & { readonly preview: true }): Promise<readonly ReplayPreview[]>
}

/** How many events ended how, and how many messages of the outbox were sent. */
export type DrainReport = Readonly<Record<ClaimResult, number>> & RelayReport

/** A webhook inbox: receives deliveries, runs handlers, each event once. */
export type Inbox<Tx, Sources extends SourceMap = SourceMap> = {
  /** Runs the handler for every event of these types: a type, several, a beginning as in `invoice.*`, or `*`. */
  readonly on: <
    Source extends keyof Sources & string,
    const Types extends string | readonly string[],
    Payload = PayloadOf<NonNullable<Sources[Source]['~payloads']>, Types>,
  >(
    source: Source,
    types: Types,
    handler: Handler<Tx, Payload>,
    options?: HandlerOptions<Payload>,
  ) => Inbox<Tx, Sources>
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
  readonly receipts: {
    readonly find: (filter?: ReceiptFilter) => Promise<readonly Receipt[]>
    readonly get: (id: string) => Promise<Receipt | undefined>
    /** All that happened to a receipt, oldest first: deliveries, attempts, replays. */
    readonly timeline: (id: string) => Promise<readonly TimelineEntry[]>
    /** The exact bytes, and the headers that were kept. */
    readonly body: (id: string) => Promise<StoredBody | undefined>
  }
  /** Puts receipts back into the queue: failed and ignored ones, others only if the filter names their status. Answers with their ids. */
  readonly replay: Replay
  /** Messages of the outbox. */
  readonly messages: {
    readonly find: (filter?: MessageFilter) => Promise<readonly OutboxMessage[]>
    /** Sends dead letters again, with the same key. Answers with their ids. */
    readonly replay: (filter: MessageFilter) => Promise<readonly string[]>
  }
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

  const door: Door = {
    settingsOf(source) {
      const provider = sources.get(source)
      return provider && { ...provider.settings, methods: provider.methods }
    },
    receive,
    answer: (source, delivery, outcome) =>
      answerOf(outcome, (situation) => sources.get(source)?.answer(delivery, situation)),
    onRefused(source, refusal) {
      const { status } = answerOf(refusal)
      hub.emit({ kind: 'delivery', outcome: 'refused', source, status, latencyMilliseconds: 0, detail: refusal.kind })
    },
    onError: (error) =>
      hub.emit({
        kind: 'notice',
        level: 'error',
        message: 'A request could not be handled.',
        error: describeError(error),
      }),
  }

  /** What is looked at counts the deliveries of a moment ago too. */
  const settled = async (): Promise<void> => {
    await ready()
    await deliveryLog.flush()
  }

  async function replay(
    filter: ReceiptFilter,
    { by = '', why = '', preview = false }: Partial<ReplayNote> & { readonly preview?: boolean },
  ): Promise<readonly string[] | readonly ReplayPreview[]> {
    await ready()
    if (preview) return previewAll(filter)
    const ids = await store.replay(environment, filter, { by, why })
    if (ids.length > 0) await wake()
    return ids
  }

  async function previewAll(filter: ReceiptFilter): Promise<readonly ReplayPreview[]> {
    const previews: ReplayPreview[] = []
    const all = { status: ['failed', 'ignored'], limit: Number.MAX_SAFE_INTEGER, ...filter } as const
    for (const receipt of await store.findReceipts(environment, all)) {
      // What is in the queue runs by itself, and a replay leaves it alone.
      if (isPending(receipt)) continue
      previews.push(await previewReplay(processing, receipt, registry.matching(receipt.source, receipt.type)))
    }
    return previews
  }

  const inbox: Inbox<Tx, Sources> = {
    on(source, types, handler, handlerOptions = {}) {
      if (!sources.has(source)) {
        const known = [...sources.keys()].join(', ')
        throw invalidOptions(`The handler for ${source}`, [`there is no source of that name; there are: ${known}.`])
      }
      registry.add(source, types, handler as Handler<Tx>, handlerOptions)
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
    receipts: {
      async find(filter = {}) {
        await settled()
        return store.findReceipts(environment, filter)
      },
      async get(id) {
        await settled()
        return (await store.findReceipts(environment, { id, limit: 1 }))[0]
      },
      async timeline(id) {
        await settled()
        return store.timeline(environment, id)
      },
      async body(id) {
        await ready()
        return store.readBody(environment, id)
      },
    },
    replay: replay as Replay,
    messages: {
      async find(filter = {}) {
        await ready()
        return store.outbox.find(environment, filter)
      },
      async replay(filter) {
        await ready()
        const ids = await store.outbox.replay(environment, filter)
        if (ids.length > 0) await wake()
        return ids
      },
    },
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

function isPending({ status }: Receipt): boolean {
  return status === 'received' || status === 'processing' || status === 'retrying'
}
