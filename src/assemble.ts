import { hostname } from 'node:os'
import { createAccept } from './accept.ts'
import { systemClock } from './clock.ts'
import type { WebhookEvent } from './effects/handler.ts'
import { createHandlerRegistry, type HandlerRegistry } from './effects/handler-registry.ts'
import type { Processing } from './effects/processing.ts'
import { createSlots } from './effects/slots.ts'
import { describeError } from './errors.ts'
import { createEventHub, type EventHub } from './events.ts'
import { createLoops, type Loops } from './loops.ts'
import { logTo, warningsToConsole, withFields } from './observe/log.ts'
import { deliveryEventOf, notedDeliveryOf } from './observe-delivery.ts'
import type { InboxOptions } from './options.ts'
import { exponentialBackoff } from './receipt/backoff.ts'
import { createDeliveryLog, type DeliveryLog } from './receipt/delivery-log.ts'
import { createGroupCommit } from './receipt/group-commit.ts'
import { createWaker } from './receipt/waker.ts'
import { createReceive, type Receive } from './receive.ts'
import { createRelay, type Relay } from './relay.ts'
import type { Store } from './store/store.ts'
import type { Provider } from './verify/provider.ts'
import { createWorker, type Worker } from './worker.ts'

/** The working parts of an inbox, joined. */
export type Parts<Tx> = {
  readonly sources: ReadonlyMap<string, Provider>
  readonly hub: EventHub
  readonly registry: HandlerRegistry<Tx>
  readonly processing: Processing<Tx>
  readonly worker: Worker
  readonly relay: Relay
  readonly loops: Loops
  readonly receive: Receive
  readonly deliveryLog: DeliveryLog
  /** Resolves when the schema is there. */
  readonly ready: () => Promise<void>
  readonly wake: () => Promise<void>
}

/** Joins the parts of an inbox whose options were checked. */
export function assemble<Tx>(options: InboxOptions<Tx>): Parts<Tx> {
  const { store, environment = 'default', clock = systemClock, random = Math.random } = options
  const sources = new Map(Object.entries(options.sources))
  const hub = createEventHub()
  const { emit } = hub
  const report = (message: string) => (error: unknown) => {
    emit({ kind: 'notice', level: 'error', message, error: describeError(error) })
  }
  hub.subscribe(logTo(options.logger ?? warningsToConsole))

  const registry = createRegistry(options, sources)
  const targets = new Map(Object.entries(options.targets ?? {}))
  const processing = createProcessing(options, { emit, sources, targets, onMessages: () => void wake() })
  const slots = createSlots(store.transactionSlots)
  const ready = createReadiness(options.migrations === 'manual' ? undefined : store, () => tellWarnings(sources, emit))
  const { concurrency = Math.min(4, store.transactionSlots), leaseSeconds = 30, pollSeconds = 5 } = options.worker ?? {}
  const worker = createWorker({ processing, registry, clock, slots, environment, concurrency, leaseSeconds })
  const relay = createRelay({
    outbox: store.outbox,
    targets,
    environment,
    worker: processing.worker,
    clock,
    emit,
    backoff: exponentialBackoff(options.retry ?? {}, random),
    maxAttempts: options.retry?.maxAttempts ?? 12,
    leaseSeconds,
  })
  const loops = createLoops({ store, pumps: [worker.pump, ...relay.pumps], clock, emit, pollSeconds })

  const { wakeOthers, recordReceipts, noteDeliveries } = store
  const { wake } = createWaker({
    local: loops,
    wakeOthers,
    clock,
    onError: report('Other processes could not be told of new events.'),
  })
  const { record } = createGroupCommit({ write: recordReceipts, clock })
  const deliveryLog = createDeliveryLog({
    write: noteDeliveries,
    clock,
    onError: report('The delivery log could not be written.'),
  })

  const receive = createReceive({
    environment,
    sources,
    accept: createAccept({
      processing,
      registry,
      record,
      slots,
      clock,
      random,
      wake,
      wakeHere: loops.wakeIfRunning,
      ready,
    }),
    clock,
    whenInlineFails: options.whenInlineFails,
    onSecretLookupFailed: (source, error) => report(`The look-up of the secrets of source ${source} failed.`)(error),
    observe(observed) {
      emit(deliveryEventOf(observed))
      const noted = notedDeliveryOf(observed, environment, clock.now())
      if (noted !== undefined) deliveryLog.note(noted)
    },
  })
  return { sources, hub, registry, processing, worker, relay, loops, receive, deliveryLog, ready, wake }
}

function createRegistry<Tx>(options: InboxOptions<Tx>, sources: ReadonlyMap<string, Provider>): HandlerRegistry<Tx> {
  const { store, mode, retry = {}, random = Math.random, timeoutSeconds = 30 } = options
  return createHandlerRegistry<Tx>({
    modeOf: (source) => sources.get(source)?.settings.mode ?? mode ?? store.defaultMode,
    sameChangeOf: (source) => sources.get(source)?.settings.sameChange,
    maxAttempts: retry.maxAttempts ?? 12,
    backoff: exponentialBackoff(retry, random),
    timeoutSeconds,
  })
}

type ProcessingParts = {
  readonly emit: EventHub['emit']
  readonly sources: ReadonlyMap<string, Provider>
  readonly targets: ReadonlyMap<string, unknown>
  readonly onMessages: () => void
}

function createProcessing<Tx>(options: InboxOptions<Tx>, parts: ProcessingParts): Processing<Tx> {
  const { emit, sources, targets, onMessages } = parts
  const { store, logger = warningsToConsole, worker = {}, maximumDeferSeconds = 3 * 86_400 } = options
  return {
    store,
    emit,
    targets: new Set(targets.keys()),
    fetchCurrentOf: (source) => sources.get(source)?.settings.fetchCurrent,
    readDocumentOf: (source) => sources.get(source)?.readDocument,
    onMessages,
    onOutage: outageTeller(emit),
    logFor: (event, attempt) => withFields(logger, { ...identifiersOf(event), attempt }),
    worker: worker.name ?? `${hostname()}:${process.pid}`,
    maximumDeferSeconds,
  }
}

function identifiersOf({ source, id, type, objectId, receiptId }: WebhookEvent): object {
  return { source, eventId: id, type, objectId, receiptId }
}

/** Migrates once, however many ask; a failure is tried again by the next who asks. */
function createReadiness<Tx>(store: Store<Tx> | undefined, onReady: () => void): () => Promise<void> {
  let migrating: Promise<void> | undefined
  const prepare = async (): Promise<void> => {
    try {
      await store?.migrate()
      onReady()
    } catch (error) {
      migrating = undefined
      throw error
    }
  }
  return () => {
    migrating ??= prepare()
    return migrating
  }
}

function outageTeller(emit: EventHub['emit']): (error: unknown) => void {
  const message = 'The worker could not reach the store; it tries again.'
  return (error) => emit({ kind: 'notice', level: 'error', message, error: describeError(error) })
}

/** Weak points of the sources' set-up, said once. */
function tellWarnings(sources: ReadonlyMap<string, Provider>, emit: EventHub['emit']): void {
  for (const [source, { warnings }] of sources) {
    for (const warning of warnings) emit({ kind: 'notice', level: 'warning', message: `Source ${source}: ${warning}` })
  }
}
