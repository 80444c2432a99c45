import { createAccept } from './accept.ts'
import { withCache } from './accept-remembered.ts'
import { createAlerts } from './alerts/create-alerts.ts'
import { assembleAutomations } from './assemble-automations.ts'
import { assembleLogs } from './assemble-logs.ts'
import { createProcessing } from './assemble-processing.ts'
import { assembleRecovery } from './assemble-recovery.ts'
import { captureSource, createCaptureSource } from './automation/capture-source.ts'
import type { RunningAutomations } from './automation/create-automations.ts'
import { systemClock } from './clock.ts'
import { expiryTask } from './datastore/expiry-task.ts'
import { createHandlerRegistry, type HandlerRegistry } from './effects/handler-registry.ts'
import type { Processing } from './effects/processing.ts'
import { createSlots } from './effects/slots.ts'
import { describeError, type Hide } from './errors.ts'
import { createEventHub, type EventHub } from './events.ts'
import { createLoops, type Loops } from './loops.ts'
import { logTo, warningsToConsole } from './observe/log.ts'
import { createObserver } from './observe-delivery.ts'
import type { InboxOptions } from './options.ts'
import { encryptedStore } from './privacy/encrypted-store.ts'
import { createKeyRing, type KeyRing } from './privacy/key-ring.ts'
import { openedOutbox } from './privacy/opened-outbox.ts'
import { exponentialBackoff } from './receipt/backoff.ts'
import type { DeliveryLog } from './receipt/delivery-log.ts'
import { createGroupCommit } from './receipt/group-commit.ts'
import { createReadiness } from './receipt/readiness.ts'
import { createWaker } from './receipt/waker.ts'
import { createReceive, type Receive } from './receive.ts'
import type { Recovery } from './recovery/recovery.ts'
import { createRedactDelivery } from './redact-delivery.ts'
import { createRelay, type Relay } from './relay.ts'
import { retentionTasks } from './retention/retention-tasks.ts'
import type { Shadow } from './shadow/shadow.ts'
import type { Store } from './store/store.ts'
import { traceReceive } from './traced-receive.ts'
import { createUpkeep, type Upkeep } from './upkeep.ts'
import type { Provider } from './verify/provider.ts'
import type { Worker } from './worker.ts'
import { createWorkerLanes } from './worker-lanes.ts'

/** The working parts of an inbox, joined. */
export type Parts<Tx> = {
  /** That of the options; what it stores may be encrypted. */
  readonly store: Store<Tx>
  /** Undefined if nothing is encrypted. */
  readonly keys: KeyRing | undefined
  readonly sources: ReadonlyMap<string, Provider>
  readonly hub: EventHub
  readonly registry: HandlerRegistry<Tx>
  readonly processing: Processing<Tx>
  readonly worker: Worker
  readonly relay: Relay
  readonly upkeep: Upkeep
  readonly loops: Loops
  readonly receive: Receive
  readonly deliveryLog: DeliveryLog
  /** Resolves when the schema is there. */
  readonly ready: () => Promise<void>
  readonly wake: () => Promise<void>
  /** Undefined where there are none. */
  readonly automations: RunningAutomations | undefined
  /** How captured requests become events for them. */
  readonly captures: ReturnType<typeof createCaptureSource> | undefined
  readonly recovery: Recovery
  readonly shadow: Shadow
}

/** Joins the parts of an inbox whose options were checked. */
export function assemble<Tx>(given: InboxOptions<Tx>): Parts<Tx> {
  const { environment = 'default', clock = systemClock, random = Math.random, tracing, encryption } = given
  const keys = encryption && createKeyRing(encryption, clock)
  const store = keys === undefined ? given.store : encryptedStore(given.store, keys)
  const options = { ...given, store }
  const captures = options.automations && createCaptureSource()
  const sources = new Map(
    Object.entries({ ...options.sources, ...(captures !== undefined && { [captureSource]: captures.provider }) }),
  )
  const hide: Hide = (text) => hideSecretsOf(sources, text)
  const hub = hidingHub(createEventHub(), hide)
  const { emit } = hub
  const report = (message: string) => (error: unknown) => {
    emit({ kind: 'notice', level: 'error', message, error: describeError(error) })
  }
  hub.subscribe(logTo(options.logger ?? warningsToConsole))

  const registry = createRegistry(options, sources)
  const readiness = createReadiness(options.migrations === 'manual' ? undefined : store, () =>
    tellWarnings(options.sources, emit),
  )
  const { ready } = readiness
  const automated = assembleAutomations(options.automations, {
    ...readiness,
    store,
    environment,
    registry,
    sources: [...sources.keys()],
    emit,
  })
  const targets = new Map(Object.entries({ ...options.targets, ...automated.targets }))
  const processing = createProcessing(
    { ...options, store: automated.store },
    { emit, hide, sources, targets, onMessages: () => void wake() },
  )
  const slots = createSlots(store.transactionSlots)
  const { concurrency = Math.min(4, store.transactionSlots), leaseSeconds = 30, pollSeconds = 5 } = options.worker ?? {}
  const worker = createWorkerLanes({ processing, registry, clock, slots, environment, concurrency, leaseSeconds })
  const relay = createRelay({
    outbox: openedOutbox(store.outbox, {
      keys,
      maxAttempts: options.retry?.maxAttempts ?? 12,
      onProblem: report('A message of the outbox could not be decrypted, so it waits.'),
    }),
    targets,
    environment,
    worker: processing.worker,
    clock,
    emit,
    backoff: exponentialBackoff(options.retry ?? {}, random),
    maxAttempts: options.retry?.maxAttempts ?? 12,
    leaseSeconds,
    tracing,
    hide,
  })
  const alerts = createAlerts(options.alerts, {
    store: store.alerts,
    environment,
    sources,
    clock,
    onMessages: () => void wake(),
    onError: report('What alerts count of answers could not be written.'),
  })
  for (const listener of alerts.listeners) hub.subscribe(listener)
  const isEncrypted = encryption !== undefined
  const redact = createRedactDelivery({ sources, redact: options.redact, isEncrypted, emit })
  const beside = assembleRecovery(options, {
    sources,
    registry,
    processing,
    redact,
    ready,
    wakeHere: () => loops.wakeIfRunning(),
  })
  const upkeep = createUpkeep({
    store: store.upkeep,
    tasks: [
      ...retentionTasks({ store: store.retention, options: options.retention, sources, environment, clock, emit }),
      ...alerts.tasks,
      ...beside.tasks,
      expiryTask(store.datastore),
      ...automated.tasks,
    ],
    environment,
    worker: processing.worker,
    clock,
    random,
    emit,
    leaseSeconds,
  })
  const pumps = [worker.pump, ...relay.pumps, upkeep.pump]
  const loops = createLoops({ store, pumps, clock, emit, pollSeconds })

  const { wakeOthers, recordReceipts } = store
  const { wake } = createWaker({
    local: loops,
    wakeOthers,
    clock,
    onError: report('Other processes could not be told of new events.'),
  })
  const { record } = createGroupCommit({ write: recordReceipts, clock })
  const { deliveryLog, meterLog } = assembleLogs({
    store,
    environment,
    sources,
    hub,
    clock,
    report,
    others: [alerts, beside, automated],
  })

  const receiveUntraced = createReceive({
    environment,
    sources,
    accept: withCache(options.cache, {
      accept: createAccept({
        processing,
        registry,
        record,
        slots,
        clock,
        random,
        wake,
        wakeHere: loops.wakeIfRunning,
        ready: automated.ready,
        isReady: automated.isReady,
      }),
      store,
      ready,
      clock,
      emit,
    }),
    clock,
    redact,
    whenInlineFails: options.whenInlineFails,
    onSecretLookupFailed: (source, error) => report(`The look-up of the secrets of source ${source} failed.`)(error),
    observe: createObserver({ emit, deliveryLog, meterLog, environment, clock }),
  })
  const receive = tracing === undefined ? receiveUntraced : traceReceive(receiveUntraced, tracing)
  return {
    store,
    keys,
    sources,
    hub,
    registry,
    processing,
    worker,
    relay,
    upkeep,
    loops,
    receive,
    deliveryLog,
    ready,
    wake,
    automations: automated.running,
    captures,
    recovery: beside.recovery,
    shadow: beside.shadow,
  }
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

/** Whatever goes wrong is told without the secrets of the sources. */
function hidingHub({ emit, subscribe }: EventHub, hide: Hide): EventHub {
  return {
    subscribe,
    emit: (event) =>
      emit('error' in event && event.error !== undefined ? { ...event, error: hide(event.error) } : event),
  }
}

function hideSecretsOf(sources: ReadonlyMap<string, Provider>, text: string): string {
  let hidden = text
  for (const { hideSecrets } of sources.values()) hidden = hideSecrets?.(hidden) ?? hidden
  return hidden
}

/** Weak points of the sources' set-up, said once. */
function tellWarnings(sources: Readonly<Record<string, Provider>>, emit: EventHub['emit']): void {
  for (const [source, { warnings }] of Object.entries(sources)) {
    for (const warning of warnings) emit({ kind: 'notice', level: 'warning', message: `Source ${source}: ${warning}` })
  }
}
