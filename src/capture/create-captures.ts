import { type Clock, callAfter, systemClock } from '../clock.ts'
import { invalidOptions } from '../errors.ts'
import { createEventHub, type InboxListener } from '../events.ts'
import { encryptedCaptures } from '../privacy/encrypted-captures.ts'
import type { Encryption } from '../privacy/encryption.ts'
import { createKeyRing } from '../privacy/key-ring.ts'
import type {
  Capture,
  CaptureEndpoint,
  CaptureFilter,
  CaptureInBrief,
  CaptureStore,
  ReplayPage,
  SentReplay,
  StoredRule,
} from '../store/capture-store.ts'
import { type Resolve, systemResolve } from '../targets/http-address.ts'
import type { Provider } from '../verify/provider.ts'
import { type CasesView, createCasesView } from './cases/cases-view.ts'
import { checkRules, type RuleMistake } from './check-rules.ts'
import { type Comparison, compareOriginals } from './compare.ts'
import type { CaptureDoor } from './door.ts'
import { createIdentify } from './identify.ts'
import { type CaptureOptions, captureMistakes, captureSettings, endpointNameAdvice, isEndpointName } from './options.ts'
import { createReadOriginal, type OriginalKey, type ReceiptReader } from './original.ts'
import { createReceive, type OnCapture } from './receive.ts'
import { createReplay, type ReplayOutcome, type ReplayRequest } from './replay.ts'
import type { CaptureRule } from './rule.ts'

export type { AutomationAnswer } from './answer.ts'
export type { CaseExpectation, CaseFile, CaseRequest, RowExpectation } from './cases/case-file.ts'
export type { FoundCase } from './cases/case-folder.ts'
export type { CasesView, CaseWish, MadeCase } from './cases/cases-view.ts'
export type { RuleMistake } from './check-rules.ts'
export type { ComparedItem, ComparedTime, Comparison } from './compare.ts'
export type { HeaderDifference, HeaderRole } from './compare-headers.ts'
export type { Difference } from './compare-json.ts'
export type { CaptureDoor, HasCaptureDoor, IncomingCapture } from './door.ts'
export type { CaptureOptions, EndpointOptions, ReplayOptions } from './options.ts'
export type { OriginalKey, ReceiptReader } from './original.ts'
export type { CaptureRecord, OnCapture } from './receive.ts'
export type { ReplayEdit, ReplayOutcome, ReplayRequest, ReplaySigner } from './replay.ts'
export type { CaptureRule, JsonCondition, RuleAnswer, RuleConditions, TextCondition } from './rule.ts'
export type { IdentityFinding, IdentityVerdict } from './verdict.ts'

/** What captures are made of. */
export type CapturesParts = {
  readonly store: { readonly captures: CaptureStore }
  /** As of the inbox. Default `default`. */
  readonly environment?: string | undefined
  /** Those of the inbox: captures are recognised by them, and replays signed. */
  readonly sources: Readonly<Record<string, Provider>>
  /** All providers that are known, by which captures of others are recognised too. */
  readonly catalogue?: (() => Promise<readonly Provider[]>) | undefined
  /** As of the inbox. */
  readonly encryption?: Encryption | undefined
  readonly options?: CaptureOptions | undefined
  /** Those of the inbox, so that receipts can be sent again and compared too. */
  readonly receipts?: ReceiptReader | undefined
  /** Where the gateway listens: its own sources can always be sent to. */
  readonly ownUrl?: (() => string | undefined) | undefined
  /** Where captures are saved as cases. Default: nowhere. */
  readonly casesFolder?: string | undefined
  readonly onCapture?: OnCapture | undefined
  /** Told of failures that the sender only sees as a 503. */
  readonly onError?: ((error: unknown) => void) | undefined
  readonly clock?: Clock
  readonly random?: () => number
  /** Finds the addresses of a host. Default: the system's way. */
  readonly resolve?: Resolve
}

/** Endpoints that take any request whole, and what was captured there. */
export type Captures = {
  /** What a server hands requests to. */
  readonly door: CaptureDoor
  readonly endpoints: EndpointsView
  readonly find: (filter: CaptureFilter) => Promise<readonly CaptureInBrief[]>
  readonly read: (id: string) => Promise<Capture | undefined>
  readonly delete: (id: string) => Promise<boolean>
  readonly clear: (endpoint: string) => Promise<number>
  /** Sends a capture or a receipt again, and keeps who did it and what came back. */
  readonly replay: (request: ReplayRequest) => Promise<ReplayOutcome>
  readonly replays: {
    readonly find: (page: ReplayPage) => Promise<readonly SentReplay[]>
    readonly read: (id: string) => Promise<SentReplay | undefined>
  }
  /** Two to five of them side by side; or those that there are not, or no longer. */
  readonly compare: (
    keys: readonly OriginalKey[],
  ) => Promise<
    | { readonly kind: 'compared'; readonly comparison: Comparison }
    | { readonly kind: 'not_found'; readonly keys: readonly OriginalKey[] }
  >
  readonly cases: CasesView
  /** Hears of every request. Returns a function that ends it. */
  readonly subscribe: (listener: InboxListener) => () => void
  /** Makes the configured endpoints, and removes what is past its time from now on. */
  readonly start: () => Promise<void>
  /** Lets go of requests that are kept waiting. */
  readonly close: () => void
}

/** Looking at capture endpoints, and changing them. */
export type EndpointsView = {
  readonly find: () => Promise<readonly CaptureEndpoint[]>
  readonly put: (endpoint: {
    readonly name: string
    readonly note?: string | undefined
    readonly by: string
  }) => Promise<'created' | 'known' | 'full' | { readonly kind: 'bad_name'; readonly message: string }>
  readonly delete: (name: string) => Promise<boolean>
  /** In their order, with their counts. Undefined if there is no such endpoint. */
  readonly rules: (name: string) => Promise<readonly RuleInUse[] | undefined>
  readonly putRules: (
    name: string,
    rules: unknown,
    counts?: 'keep' | 'reset',
  ) => Promise<'done' | 'unknown_endpoint' | { readonly kind: 'wrong'; readonly mistakes: readonly RuleMistake[] }>
}

/** A rule, and how often it has answered. */
export type RuleInUse = CaptureRule & Pick<StoredRule, 'name' | 'counted' | 'answered'>

const longestPause = 24 * 3_600_000

/** Joins the parts. No I/O until the first use. */
export function createCaptures(parts: CapturesParts): Captures {
  const { environment = 'default', sources, catalogue, encryption, clock = systemClock, options = {} } = parts
  const mistakes = captureMistakes(options)
  if (mistakes.length > 0) throw invalidOptions('The capture endpoints', mistakes)
  const settings = captureSettings(options)
  const store =
    encryption === undefined
      ? parts.store.captures
      : encryptedCaptures(parts.store.captures, createKeyRing(encryption, clock))
  const hub = createEventHub()
  const closing = new AbortController()
  const report = parts.onError ?? (() => {})
  const endpoints = endpointsView(store, environment, settings.mostEndpoints)
  let cancelPruning = (): void => {}

  const receive = createReceive({
    store,
    environment,
    settings,
    identify: createIdentify({ sources, catalogue }),
    random: parts.random ?? Math.random,
    now: clock.now,
    emit: hub.emit,
    report,
    onCapture: parts.onCapture,
  })

  const readOriginal = createReadOriginal({
    readCapture: (id) => store.read(environment, id),
    receipts: parts.receipts,
    providerOf: (source) => (Object.hasOwn(sources, source) ? sources[source]?.name : undefined),
  })
  const replay = createReplay({
    store,
    environment,
    options: settings.replay,
    readOriginal,
    sources,
    ownUrl: parts.ownUrl ?? (() => undefined),
    resolve: parts.resolve ?? systemResolve,
    now: clock.now,
  })

  return {
    door: { maximumBodyBytes: settings.maximumBodyBytes, receive, closing: closing.signal },
    endpoints,
    find: (filter) => store.find(environment, filter),
    read: (id) => store.read(environment, id),
    delete: (id) => store.delete(environment, id),
    clear: (endpoint) => store.clear(environment, endpoint),
    replay,
    replays: {
      find: (page) => store.findReplays(environment, page),
      read: (id) => store.readReplay(environment, id),
    },
    async compare(keys) {
      const found = await Promise.all(keys.map(readOriginal))
      const missing = keys.filter((_key, index) => found[index] === undefined)
      if (missing.length > 0) return { kind: 'not_found', keys: missing }
      return { kind: 'compared', comparison: compareOriginals(found.flatMap((original) => original ?? [])) }
    },
    cases: createCasesView({ readOriginal, sources, catalogue, folder: parts.casesFolder }),
    subscribe: hub.subscribe,
    async start() {
      for (const [name, { note, rules }] of Object.entries(settings.endpoints)) {
        await endpoints.put({ name, note, by: 'configuration' })
        if (rules !== undefined) await endpoints.putRules(name, rules)
      }
      // In the background, so that the first sender does not wait for it. Without endpoints nobody needs it.
      if ((await endpoints.find()).length > 0) void catalogue?.().catch(report)
      await prune()
    },
    close() {
      closing.abort()
      cancelPruning()
    },
  }

  /** Runs when something is past its time, or once a day; nothing is asked while nothing is kept. */
  async function prune(): Promise<void> {
    if (closing.signal.aborted) return
    const next = await store.prune(environment).catch((error: unknown) => {
      report(error)
      return { millisecondsUntilNext: longestPause }
    })
    const days = settings.keepDays * 86_400_000
    const wait = Math.min(longestPause, Math.max(1000, next.millisecondsUntilNext ?? days))
    cancelPruning = callAfter(clock, wait, () => void prune())
  }
}

function endpointsView(store: CaptureStore, environment: string, mostEndpoints: number): EndpointsView {
  return {
    find: () => store.findEndpoints(environment),
    async put({ name, note, by }) {
      if (!isEndpointName(name))
        return { kind: 'bad_name', message: `${JSON.stringify(name)} is not a name: ${endpointNameAdvice}.` }
      return store.putEndpoint({ environment, name, note, by }, mostEndpoints)
    },
    delete: (name) => store.deleteEndpoint(environment, name),
    async rules(name) {
      const stored = await store.readRules(environment, name)
      return stored?.map(({ rule, counted, answered, name: own }) => ({
        ...(JSON.parse(rule) as CaptureRule),
        name: own,
        counted,
        answered,
      }))
    },
    async putRules(endpoint, given, counts = 'keep') {
      const { rules, mistakes } = checkRules(given)
      if (mistakes.length > 0) return { kind: 'wrong', mistakes }
      const texts = rules.map((rule) => ({ name: rule.name, rule: JSON.stringify(rule) }))
      const isDone = await store.putRules({ environment, endpoint, rules: texts, counts })
      return isDone ? 'done' : 'unknown_endpoint'
    },
  }
}
