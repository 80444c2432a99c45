import { invalidOptions } from '../errors.ts'
import type { Backoff } from '../receipt/backoff.ts'
import type { SameChange } from '../verify/provider.ts'
import { type Destination, type Detached, detachedOf } from './detached-handler.ts'
import type { BatchHandler, Handler, HandlerOptions, StandardSchema } from './handler.ts'

/** A handler with every option decided. */
export type RegisteredHandler<Tx> = {
  readonly name: string
  readonly source: string
  readonly run: Handler<Tx>
  /** Takes up to so many events at once, in place of `run`. */
  readonly batch: { readonly size: number; readonly run: BatchHandler<Tx> } | undefined
  /** Runs without a transaction, in place of `run`. */
  readonly detached: Detached | undefined
  readonly commit: 'own' | 'shared'
  readonly mode: 'inline' | 'queued'
  readonly maxAttempts: number
  readonly backoff: Backoff
  readonly timeoutSeconds: number
  readonly order: 'object' | undefined
  readonly sameChange: SameChange | undefined
  readonly schema: StandardSchema<unknown> | undefined
  /** Takes no new events, only those that were recorded for it before. */
  readonly isRetired: boolean
}

/** A handler that comes and goes while the inbox runs. */
export type ChangingHandler<Tx> = {
  readonly source: string
  readonly types: string | readonly string[]
  readonly run: Handler<Tx>
  readonly options: HandlerOptions & { readonly name: string }
  readonly isRetired: boolean
}

export type HandlerRegistry<Tx> = {
  readonly add: (
    source: string,
    types: string | readonly string[],
    run: Handler<Tx> | BatchHandler<Tx>,
    options: HandlerOptions & { readonly batch?: number },
  ) => void
  /** In place of the last ones that were given here. All or, if one of them cannot be, none. There may be some for these sources at any time. */
  readonly change: (handlers: readonly ChangingHandler<Tx>[], sources: readonly string[]) => void
  /** Those that run an event that was recorded, in the order in which they were added. */
  readonly matching: (source: string, type: string) => readonly RegisteredHandler<Tx>[]
  /** Those that take a new event, with what the door asks of them, found once for each type. */
  readonly matched: (source: string, type: string) => MatchedHandlers<Tx>
  readonly sources: () => readonly string[]
  /** Where the events of a source go, besides its other handlers. */
  readonly destinationsOf: (source: string) => readonly Destination[]
  /** The handlers of a source as people look at them. */
  readonly describe: (source: string) => readonly DescribedHandler[]
  /** Whether a source has handlers with a transaction. */
  readonly hasAttached: (source: string) => boolean
}

export type DescribedHandler = {
  readonly name: string
  readonly types: readonly string[]
  readonly mode: 'inline' | 'queued'
  /** The endpoint that it hands events to; undefined if it does not. */
  readonly forwardsTo: string | undefined
}

export type MatchedHandlers<Tx> = {
  readonly all: readonly RegisteredHandler<Tx>[]
  /** With those that are retired. */
  readonly toRun: readonly RegisteredHandler<Tx>[]
  readonly inline: readonly RegisteredHandler<Tx>[]
  /** Whether one of them takes events of an object one at a time. */
  readonly isOrdered: boolean
}

/** Senders use the same few types again and again; one that makes up new ones does not fill the memory. */
const mostRemembered = 1000

/** What a handler gets where it says nothing itself. */
export type HandlerDefaults = {
  readonly modeOf: (source: string) => 'inline' | 'queued'
  readonly sameChangeOf: (source: string) => SameChange | undefined
  readonly maxAttempts: number
  readonly backoff: Backoff
  readonly timeoutSeconds: number
}

type Entry<Tx> = { readonly types: readonly string[]; readonly handler: RegisteredHandler<Tx> }

type EntryOptions<Tx> = HandlerOptions & {
  readonly batch?: number
  readonly isRetired?: boolean
  /** Whose names are taken. */
  readonly others: readonly Entry<Tx>[]
}

/** Keeps the handlers, and finds those for an event. */
export function createHandlerRegistry<Tx>(defaults: HandlerDefaults): HandlerRegistry<Tx> {
  let entries: readonly Entry<Tx>[] = []
  let changing: readonly Entry<Tx>[] = []
  let watched: readonly string[] = []
  /** By source, then by type. */
  const remembered = new Map<string, Map<string, MatchedHandlers<Tx>>>()

  return {
    add(source, types, run, options) {
      entries = [...entries, entryOf(source, types, run, { ...options, others: [...entries, ...changing] })]
      remembered.clear()
    },
    change(handlers, sources) {
      const made: Entry<Tx>[] = []
      for (const { source, types, run, options, isRetired } of handlers) {
        made.push(entryOf(source, types, run, { ...options, isRetired, others: [...entries, ...made] }))
      }
      changing = made
      watched = sources
      remembered.clear()
    },
    matched,
    matching: (source, type) => matched(source, type).toRun,
    sources: () => [...new Set([...entries.map(({ handler }) => handler.source), ...watched])],
    destinationsOf: (source) => [...new Set(handlersOf(source).flatMap(({ detached }) => detached?.destination ?? []))],
    describe: (source) =>
      entries
        .filter(({ handler }) => handler.source === source)
        .map(({ types, handler: { name, mode, detached } }) => {
          return { name, types, mode, forwardsTo: detached?.destination.address }
        }),
    hasAttached: (source) => handlersOf(source).some(({ detached }) => detached === undefined),
  }

  function entryOf(
    source: string,
    types: string | readonly string[],
    run: Handler<Tx> | BatchHandler<Tx>,
    { others, isRetired = false, ...options }: EntryOptions<Tx>,
  ): Entry<Tx> {
    const patterns = typeof types === 'string' ? [types] : types
    const detached = detachedOf(run)
    const mode = options.mode ?? (detached === undefined ? defaults.modeOf(source) : 'queued')
    const name = options.name ?? unusedName(`${source}/${patterns.join('|')}`, others)
    const subject = `The handler "${name}"`
    const sameChange = options.sameChange ?? defaults.sameChangeOf(source)
    const mistakes = mistakesIn(patterns, run, options, mode)
    if (detached !== undefined) mistakes.push(...detachedMistakes(options, { mode, sameChange }))
    if (others.some(({ handler }) => handler.name === name)) {
      mistakes.push(
        'another handler has the same name, and completion is remembered by name: give it a name of its own.',
      )
    }
    if (mistakes.length > 0) throw invalidOptions(subject, mistakes)

    const { maxAttempts, backoff, timeoutSeconds } = { ...defaults, ...withoutUndefined(options) }
    return {
      types: patterns,
      handler: {
        name,
        source,
        ...runsOf(run, options.batch),
        detached,
        commit: options.commit ?? 'own',
        mode,
        maxAttempts,
        backoff,
        timeoutSeconds,
        order: options.order,
        sameChange,
        schema: options.schema,
        isRetired,
      },
    }
  }

  function handlersOf(source: string): readonly RegisteredHandler<Tx>[] {
    return [...entries, ...changing].flatMap(({ handler }) => (handler.source === source ? [handler] : []))
  }

  function matched(source: string, type: string): MatchedHandlers<Tx> {
    const ofSource = remembered.get(source)
    const known = ofSource?.get(type)
    if (known !== undefined) return known
    const toRun = [...entries, ...changing]
      .filter(({ handler, types }) => handler.source === source && types.some((pattern) => matches(pattern, type)))
      .map(({ handler }) => handler)
    const all = toRun.filter(({ isRetired }) => !isRetired)
    const inline = all.filter(({ mode }) => mode === 'inline')
    const found = { all, toRun, inline, isOrdered: all.some(({ order }) => order === 'object') }
    if (ofSource === undefined || ofSource.size >= mostRemembered) remembered.set(source, new Map([[type, found]]))
    else ofSource.set(type, found)
    return found
  }

  function unusedName(base: string, others: readonly Entry<Tx>[]): string {
    const isTaken = (name: string): boolean => others.some(({ handler }) => handler.name === name)
    let name = base
    for (let number = 2; isTaken(name); number += 1) name = `${base}#${number}`
    return name
  }
}

/** A pattern is a type, `*`, or a beginning followed by `*`, as in `invoice.*`. */
export function matches(pattern: string, type: string): boolean {
  return pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : pattern === type
}

function mistakesIn(
  patterns: readonly string[],
  run: unknown,
  options: HandlerOptions & { readonly batch?: number },
  mode: 'inline' | 'queued',
): string[] {
  const mistakes: string[] = []
  if (patterns.length === 0 || patterns.some((pattern) => pattern === '')) {
    mistakes.push("its event type is empty: give a type, a list of types, or '*' for all.")
  }
  if (typeof run !== 'function') mistakes.push('the handler is not a function.')
  if (options.name !== undefined && (options.name === '' || options.name.length > 200)) {
    mistakes.push('its name must have 1 to 200 characters.')
  }
  if (options.maxAttempts !== undefined && !(Number.isInteger(options.maxAttempts) && options.maxAttempts >= 1)) {
    mistakes.push(`maxAttempts is ${options.maxAttempts}: give a whole number of at least 1.`)
  }
  if (options.timeoutSeconds !== undefined && !(options.timeoutSeconds > 0 && options.timeoutSeconds <= 86_400)) {
    mistakes.push(`timeoutSeconds is ${options.timeoutSeconds}: give more than 0 and at most 86400.`)
  }
  mistakes.push(...groupMistakes(options, mode))
  if (options.order === 'object' && mode === 'inline') {
    mistakes.push("order: 'object' needs mode: 'queued', because an inline handler runs when its delivery comes.")
  }
  return mistakes
}

/** A batch handler also takes events one by one: in previews, and when a batch of them has failed. */
function runsOf<Tx>(
  run: Handler<Tx> | BatchHandler<Tx>,
  size: number | undefined,
): Pick<RegisteredHandler<Tx>, 'run' | 'batch'> {
  if (size === undefined) return { run: run as Handler<Tx>, batch: undefined }
  const batchRun = run as BatchHandler<Tx>
  return {
    batch: { size, run: batchRun },
    run: (event, context) => {
      const { tx, signal, log, isPreview } = context
      return batchRun([event], { tx, signal, log, isPreview, effectsOf: () => context })
    },
  }
}

/** What needs a transaction around the handler. */
function detachedMistakes(
  { commit, batch }: HandlerOptions & { readonly batch?: number },
  { mode, sameChange }: Pick<RegisteredHandler<never>, 'mode' | 'sameChange'>,
): readonly string[] {
  const mistakes: string[] = []
  if (mode === 'inline') mistakes.push("it forwards, which a worker does: leave mode out, or give mode: 'queued'.")
  if (commit === 'shared' || batch !== undefined)
    mistakes.push('it forwards, so it has no commit to share and no batch.')
  if (sameChange !== undefined) {
    mistakes.push('it forwards, so sameChange cannot be decided with it: leave that to the destination.')
  }
  return mistakes
}

/** Inline, each event has its own answer to wait for. */
function groupMistakes(
  { commit, batch }: HandlerOptions & { readonly batch?: number },
  mode: 'inline' | 'queued',
): readonly string[] {
  const isSize = batch === undefined || (Number.isInteger(batch) && batch >= 1 && batch <= 1000)
  return [
    ...(commit === undefined || commit === 'own' || commit === 'shared' ? [] : ["commit must be 'own' or 'shared'."]),
    ...(isSize ? [] : [`batch is ${batch}: give a whole number from 1 to 1000.`]),
    ...(batch !== undefined && mode === 'inline' ? ["batch needs mode: 'queued'."] : []),
  ]
}

function withoutUndefined<Value extends object>(value: Value): Partial<Value> {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Partial<Value>
}
