import type { Clock } from '../clock.ts'
import type { RecoveryStore } from '../store/recovery-store.ts'
import { comparePage } from './compare-history.ts'
import { type HistoryOptions, type HistoryParts, historyRange } from './history-range.ts'
import { keepingAlive } from './hold-run.ts'

/** Which time is looked at. */
export type GapOptions = HistoryOptions & {
  /** How many missing events are named. All are counted. Default 1000. */
  readonly limit?: number
  readonly onProgress?: (progress: GapReport) => void
}

/** What a provider says it has sent, beside what is in the ledger. */
export type GapReport = {
  readonly source: string
  /** Where the provider's word is from. */
  readonly history: string
  readonly from: Date
  readonly to: Date
  /** The provider tells nothing of what was before that, so nothing is known of it here either. */
  readonly blindBefore: Date | undefined
  /** All that the provider has named, whatever its type. */
  readonly listed: number
  /** Those of them that are in the ledger. */
  readonly known: number
  /** Those that should be, and are not. */
  readonly missing: number
  /** Of a type that is not on the source's list. */
  readonly notAllowed: number
  /** Of a type that has no handler here, or was not asked for. */
  readonly notHandled: number
  readonly missingByType: Readonly<Record<string, number>>
  /** The oldest of the missing ones. */
  readonly events: readonly MissingEvent[]
}

/** What the provider has sent, and the ledger does not know. */
export type MissingEvent = { readonly eventId: string; readonly type: string; readonly occurredAt: Date | undefined }

export type GapParts = HistoryParts & {
  readonly store: Pick<RecoveryStore, 'knownEvents' | 'coveredObjects'>
  readonly environment: string
  readonly clock: Clock
}

/** Only asks: the provider for what it has sent, the ledger for what it has. */
export async function findGaps(parts: GapParts, options: GapOptions): Promise<GapReport> {
  const range = historyRange(parts, options, { now: parts.clock.now(), subject: 'The search for gaps' })
  const { source, history, from, to, blindBefore, signal } = range
  const limit = options.limit ?? 1000
  let report: GapReport = {
    source,
    history: history.name,
    from,
    to,
    blindBefore,
    listed: 0,
    known: 0,
    missing: 0,
    notAllowed: 0,
    notHandled: 0,
    missingByType: {},
    events: [],
  }
  return keepingAlive(async () => {
    for (let cursor: string | undefined; ; ) {
      signal.throwIfAborted()
      const page = await comparePage(parts.store, { environment: parts.environment, range, cursor })
      const missing = page.events.filter(({ verdict }) => verdict === 'missing')
      const named = missing.map(({ eventId, type, historic }) => ({ eventId, type, occurredAt: historic.occurredAt }))
      report = { ...report, ...addedTo(report, page.events), events: [...report.events, ...named].slice(0, limit) }
      if (page.next === undefined) return report
      options.onProgress?.(report)
      cursor = page.next
    }
  })
}

type Counted = Pick<GapReport, 'listed' | 'known' | 'missing' | 'notAllowed' | 'notHandled' | 'missingByType'>

function addedTo(report: Counted, events: Awaited<ReturnType<typeof comparePage>>['events']): Counted {
  const missingByType: Record<string, number> = { ...report.missingByType }
  const counts = {
    known: report.known,
    missing: report.missing,
    not_allowed: report.notAllowed,
    not_handled: report.notHandled,
  }
  for (const { verdict, type } of events) {
    counts[verdict] += 1
    if (verdict === 'missing') missingByType[type] = (missingByType[type] ?? 0) + 1
  }
  const { known, missing, not_allowed: notAllowed, not_handled: notHandled } = counts
  return { listed: report.listed + events.length, known, missing, notAllowed, notHandled, missingByType }
}
