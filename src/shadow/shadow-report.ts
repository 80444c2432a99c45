import { invalidOptions } from '../errors.ts'
import type { AcceptedForgery, ShadowCount, ShadowedEvent, ShadowStore } from '../store/shadow-store.ts'
import type { Provider } from '../verify/provider.ts'
import { type JudgedEvent, judgeCalls } from './judge-calls.ts'

/** Which source is judged, and since when. */
export type ShadowReportOptions = {
  /** A name in `sources`. */
  readonly source: string
  /** Calls that began since. Default 7 days ago. */
  readonly since?: Date
  /**
   * How often each of these events has taken effect, by its id; what is left out has not. Asked for what was acknowledged, five hundred at
   * once. Only with it can the report say what was doubled.
   */
  readonly countEffects?: (eventIds: readonly string[]) => Promise<EffectCounts>
  /** How long the provider waits for an answer, where nobody documents it. Default: what is known of the provider. */
  readonly deadlineSeconds?: number
  /** How many events of each kind are named. All are counted. Default 50. */
  readonly limit?: number
}

/** How often events took effect, by their ids. */
export type EffectCounts = ReadonlyMap<string, number> | Readonly<Record<string, number>>

/** What a handler that is not ours did with the deliveries it was given, as far as it shows from outside. */
export type ShadowReport = {
  readonly source: string
  readonly since: Date
  /** Deliveries that were seen, of whatever kind. */
  readonly deliveries: number
  /** Authentic events that it was given, and how often. */
  readonly events: number
  readonly calls: number
  /** Events that it was run for again although one run would have done: Oncehook would not have. Whether that doubled anything, only effects can tell. */
  readonly runAgain: ShadowFinding & { readonly atOnce: number; readonly afterSuccess: number }
  /** Events with more than one effect. Undefined without `countEffects`. */
  readonly doubled: ShadowFinding | undefined
  /** Events that were acknowledged and have no effect. Undefined without `countEffects`. */
  readonly withoutEffect: ShadowFinding | undefined
  /** Events that were never acknowledged, and that the provider no longer sends: lost. */
  readonly givenUp: ShadowFinding
  /** Events that were not acknowledged yet, and that were not seen again so far. */
  readonly open: ShadowFinding
  /** Events that were acknowledged only after a failure: without another delivery they would have been lost. */
  readonly savedByRetries: ShadowFinding
  /** Events with calls that took longer than the provider waits, or that it hung up on: it sends them again. */
  readonly late: ShadowFinding & {
    readonly calls: number
    readonly deadlineSeconds: number | undefined
    readonly slowestSeconds: number
  }
  /** Calls that began and never ended: the process died, or they hang. */
  readonly unended: number
  /** Deliveries that it said 2xx to, although their signature does not hold; the newest are named. */
  readonly acceptedForgeries: { readonly count: number; readonly deliveries: readonly AcceptedForgery[] }
  /** Other deliveries that would have been refused here. */
  readonly refused: number
  /** Greetings of the provider, which are no events. */
  readonly handshakes: number
  /** Deliveries whose bytes were not seen. */
  readonly unread: number
  /** Deliveries that were not watched, because the database could not be written or there were too many at once. */
  readonly missed: number
}

/** How often something was seen, and with which events. */
export type ShadowFinding = { readonly count: number; readonly events: readonly ShadowEvidence[] }

/** One event, with every call that was seen of it. */
export type ShadowEvidence = ShadowedEvent & { readonly effects?: number }

export type ReportParts = {
  readonly store: Pick<ShadowStore, 'now' | 'readEvents' | 'countDeliveries' | 'findAcceptedForgeries'>
  readonly environment: string
  readonly sources: ReadonlyMap<string, Provider>
}

const pageSize = 500
/** Where nobody documents how long a provider sends again. */
const usualRetryHours = 72

/** Reads what was seen, event by event. */
export async function shadowReport(parts: ReportParts, options: ShadowReportOptions): Promise<ShadowReport> {
  const { store, environment, sources } = parts
  const { source, countEffects, limit = 50 } = options
  const provider = sources.get(source)
  if (provider === undefined) {
    const known = [...sources.keys()].join(', ')
    throw invalidOptions('The report', [`there is no source ${JSON.stringify(source)}; there are: ${known}.`])
  }
  const now = await store.now()
  const since = options.since ?? new Date(now.getTime() - 7 * 86_400_000)
  const scope = { environment, source, since }
  const { retryHours = usualRetryHours } = provider.facts
  const { deadlineSeconds = provider.facts.deadlineSeconds } = options
  const sums = { events: 0, calls: 0, atOnce: 0, afterSuccess: 0, late: 0, slowestSeconds: 0, unended: 0 }
  const findings = createFindings(limit)

  for (let after: string | undefined; ; ) {
    const page = await store.readEvents({ ...scope, after, limit: pageSize })
    const judged = page.map((event) => ({ event, judged: judgeCalls(event, { now, retryHours, deadlineSeconds }) }))
    const effects = await effectsOf(judged, countEffects)
    for (const one of judged) {
      addTo(sums, one)
      findings.add(one, effects?.get(one.event.eventId))
    }
    if (page.length < pageSize) break
    after = page.at(-1)?.eventId
  }
  const { events, calls, atOnce, afterSuccess, late, slowestSeconds, unended } = sums
  const { runAgain, doubled, withoutEffect, givenUp, open, savedByRetries, late: lateEvents } = findings.found()
  const { forged, ...counts } = countsOf(await store.countDeliveries(scope))
  return {
    source,
    since,
    events,
    calls,
    runAgain: { ...runAgain, atOnce, afterSuccess },
    doubled: countEffects && doubled,
    withoutEffect: countEffects && withoutEffect,
    givenUp,
    open,
    savedByRetries,
    late: { ...lateEvents, calls: late, deadlineSeconds, slowestSeconds },
    unended,
    acceptedForgeries: {
      count: forged,
      deliveries: forged > 0 && limit > 0 ? await store.findAcceptedForgeries(scope, limit) : [],
    },
    ...counts,
  }
}

type Judged = { readonly event: ShadowedEvent; readonly judged: JudgedEvent }

/** Of what was acknowledged: of the rest, nobody expects any. */
async function effectsOf(
  page: readonly Judged[],
  countEffects: ShadowReportOptions['countEffects'],
): Promise<ReadonlyMap<string, number> | undefined> {
  const isAcknowledged = ({ end }: JudgedEvent): boolean => end === 'at_first' || end === 'later'
  const ids = page.flatMap(({ event, judged }) => (isAcknowledged(judged) ? [event.eventId] : []))
  if (countEffects === undefined || ids.length === 0) return undefined
  const counted = await countEffects(ids)
  const countOf = (id: string): number | undefined =>
    counted instanceof Map ? counted.get(id) : Object.hasOwn(counted, id) ? (counted as Record<string, number>)[id] : 0
  return new Map(ids.map((id) => [id, countOf(id) ?? 0]))
}

type Sums = Record<'events' | 'calls' | 'atOnce' | 'afterSuccess' | 'late' | 'slowestSeconds' | 'unended', number>

function addTo(sums: Sums, { event, judged }: Judged): void {
  sums.events += 1
  sums.calls += event.calls.length
  sums.atOnce += judged.again === 'at_once' ? 1 : 0
  sums.afterSuccess += judged.again === 'after_success' ? 1 : 0
  sums.late += judged.late
  sums.slowestSeconds = Math.max(sums.slowestSeconds, judged.slowestSeconds)
  sums.unended += judged.unended
}

const kinds = ['runAgain', 'doubled', 'withoutEffect', 'givenUp', 'open', 'savedByRetries', 'late'] as const
type Findings = Readonly<Record<(typeof kinds)[number], ShadowFinding>>

function createFindings(limit: number): {
  readonly add: (judged: Judged, effects: number | undefined) => void
  readonly found: () => Findings
} {
  const found = Object.fromEntries(
    kinds.map((kind) => [kind, { count: 0, events: [] as ShadowEvidence[] }]),
  ) as unknown as Record<(typeof kinds)[number], { count: number; events: ShadowEvidence[] }>
  return {
    add({ event, judged: { again, end, late } }, effects) {
      const evidence: ShadowEvidence = effects === undefined ? event : { ...event, effects }
      const isOne: Readonly<Record<(typeof kinds)[number], boolean>> = {
        runAgain: again !== 'not',
        doubled: effects !== undefined && effects > 1,
        withoutEffect: effects === 0,
        givenUp: end === 'given_up',
        open: end === 'open',
        savedByRetries: end === 'later',
        late: late > 0,
      }
      for (const kind of kinds) {
        if (!isOne[kind]) continue
        const finding = found[kind]
        finding.count += 1
        if (finding.events.length < limit) finding.events.push(evidence)
      }
    },
    found: () => found,
  }
}

type DeliveryCounts = Pick<ShadowReport, 'deliveries' | 'refused' | 'handshakes' | 'unread' | 'missed'>

function countsOf(counts: readonly ShadowCount[]): DeliveryCounts & { readonly forged: number } {
  const sum = (fits: (count: ShadowCount) => boolean): number =>
    counts.filter(fits).reduce((total, { deliveries }) => total + deliveries, 0)
  return {
    deliveries: sum(({ verdict }) => verdict !== 'missed'),
    forged: sum(({ verdict, isAccepted }) => verdict === 'forged' && isAccepted),
    refused: sum(({ verdict, isAccepted }) => verdict === 'malformed' || (verdict === 'forged' && !isAccepted)),
    handshakes: sum(({ verdict }) => verdict === 'handshake'),
    unread: sum(({ verdict }) => verdict === 'unread'),
    missed: sum(({ verdict }) => verdict === 'missed'),
  }
}
