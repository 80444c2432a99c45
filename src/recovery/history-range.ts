import { matches } from '../effects/handler-registry.ts'
import { invalidOptions } from '../errors.ts'
import type { EventHistory } from '../verify/event-history.ts'
import type { Provider } from '../verify/provider.ts'

/** Of which time, and what of it. */
export type HistoryOptions = {
  /** A name in `sources`. */
  readonly source: string
  readonly from: Date
  /** Default one minute ago: what is younger may be on its way. */
  readonly to?: Date
  /** Only these types, `*` at the end meaning any. Default: those that have a handler in this process. */
  readonly types?: readonly string[]
  /** Default: that of the source. */
  readonly history?: EventHistory
  readonly signal?: AbortSignal
}

/** The same, checked, with every default in place. */
export type HistoryRange = {
  readonly source: string
  readonly provider: Provider
  readonly history: EventHistory
  readonly from: Date
  readonly to: Date
  readonly types: readonly string[] | undefined
  /** The provider tells nothing of what was before. Undefined if that is outside the range. */
  readonly blindBefore: Date | undefined
  /** Why an event of this type is not asked for, or undefined if it is. */
  readonly unwanted: (type: string) => 'not_allowed' | 'not_handled' | undefined
  readonly signal: AbortSignal
}

export type HistoryParts = {
  readonly sources: ReadonlyMap<string, Provider>
  /** Whether there is a handler for such events here, and whether it wants them in order. */
  readonly handling: (source: string, type: string) => { readonly isHandled: boolean; readonly isOrdered: boolean }
}

const settleMilliseconds = 60_000

/** Names every mistake at once. */
export function historyRange(
  { sources, handling }: HistoryParts,
  options: HistoryOptions,
  { now, subject }: { readonly now: Date; readonly subject: string },
): HistoryRange {
  const { source, from, types, signal = new AbortController().signal } = options
  const to = options.to ?? new Date(now.getTime() - settleMilliseconds)
  const provider = sources.get(source)
  const history = options.history ?? provider?.settings.history
  const mistakes = [
    ...(provider === undefined
      ? [`there is no source ${JSON.stringify(source)}; there are: ${[...sources.keys()].join(', ')}.`]
      : []),
    ...(provider !== undefined && typeof history?.list !== 'function'
      ? [
          `the source ${source} has no history: give it one, as in stripe({ secret, history: stripeHistory({ apiKey }) }).`,
        ]
      : []),
    ...(isDate(from) ? [] : ['from must be a date.']),
    ...(isDate(to) ? [] : ['to must be a date.']),
    ...(isDate(from) && isDate(to) && from >= to
      ? [`from (${from.toISOString()}) must be before to (${to.toISOString()}).`]
      : []),
    ...(types === undefined || types.length > 0 ? [] : ['types is empty: leave it out for all that have a handler.']),
  ]
  if (mistakes.length > 0 || provider === undefined || history === undefined) throw invalidOptions(subject, mistakes)

  const { types: allowed } = provider.settings
  const first = history.daysKept === undefined ? undefined : new Date(now.getTime() - history.daysKept * 86_400_000)
  const isOn = (list: readonly string[], type: string): boolean => list.some((pattern) => matches(pattern, type))
  return {
    source,
    provider,
    history,
    from,
    to,
    types,
    blindBefore: first !== undefined && from < first ? first : undefined,
    unwanted(type) {
      if (allowed !== undefined && !isOn(allowed, type)) return 'not_allowed'
      const isWanted = types === undefined ? handling(source, type).isHandled : isOn(types, type)
      return isWanted ? undefined : 'not_handled'
    },
    signal,
  }
}

function isDate(value: unknown): boolean {
  return value instanceof Date && !Number.isNaN(value.getTime())
}
