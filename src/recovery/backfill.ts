import { invalidOptions } from '../errors.ts'
import type { RecoveryStore, RunFailure, RunProgress } from '../store/recovery-store.ts'
import { type ComparedEvent, comparePage } from './compare-history.ts'
import type { GapParts } from './find-gaps.ts'
import { type HistoryOptions, type HistoryRange, historyRange } from './history-range.ts'
import { type RunParts, withRun } from './hold-run.ts'
import { askForRedelivery, type PullParts, pullMissing } from './pull-missing.ts'
import { added } from './run-counts.ts'
import { waitForRoom } from './wait-for-room.ts'

/** A time, or what was not finished. */
export type BackfillOptions = BackfillWish | BackfillToContinue

type BackfillWish = HistoryOptions &
  BackfillSettings & {
    /**
     * `pull`: what is missing is taken from the provider's API and put into the queue. `redeliver`: the provider is asked to send it again,
     * where it can be. Default `pull`.
     */
    readonly how?: 'pull' | 'redeliver'
  }

/** Begun by the inbox itself, so that the inbox goes on with it too. */
export type AutomaticWish = BackfillWish & { readonly isAutomatic?: boolean }

/** The last run of the source that was not finished goes on. */
type BackfillToContinue = Pick<HistoryOptions, 'source' | 'history' | 'signal'> &
  BackfillSettings & { readonly continue: true }

/** How it is done. */
export type BackfillSettings = {
  /** Events that are fetched at once. Default 4. */
  readonly concurrency?: number
  /** While more than so many events of the source wait in the queue, no more are added. Default 10,000. */
  readonly maximumQueued?: number
  readonly onProgress?: (progress: BackfillReport) => void
}

/** What a back-fill has done so far. */
export type BackfillReport = {
  readonly runId: string
  readonly source: string
  readonly history: string
  readonly from: Date
  readonly to: Date
  readonly how: 'pull' | 'redeliver'
  readonly isFinished: boolean
  readonly blindBefore: Date | undefined
  readonly listed: number
  readonly known: number
  /** Put into the queue. */
  readonly recorded: number
  /** What the provider was asked to send again. */
  readonly asked: number
  readonly notAllowed: number
  readonly notHandled: number
  /** What the provider no longer has. */
  readonly failed: number
  /** The first hundred of these. */
  readonly failures: readonly RunFailure[]
}

export type BackfillParts = GapParts &
  RunParts &
  PullParts & {
    readonly store: RecoveryStore
    readonly onNotice: (message: string) => void
  }

/** Takes what is missing from the provider's own API. There is no signature to check: what makes it authentic is who was asked, and how. */
export async function backfill(
  parts: BackfillParts,
  options: AutomaticWish | BackfillToContinue,
): Promise<BackfillReport> {
  const { environment, clock, store } = parts
  const wish = 'continue' in options ? await unfinished(parts, options) : options
  const range = historyRange(parts, wish, { now: clock.now(), subject: 'The back-fill' })
  const { how = 'pull' } = wish
  const { source, from, to, types } = range
  const plan = JSON.stringify({
    history: range.history.name,
    from,
    to,
    types,
    how,
    isAutomatic: wish.isAutomatic,
  } satisfies Plan)
  const run = { environment, source, kind: 'backfill', plan } as const
  return withRun(parts, { wish: run, signal: range.signal }, async (opened) => {
    let { progress } = opened
    let room = 0
    const report = (isFinished = false): BackfillReport =>
      reportOf({ runId: opened.run.id, range, how, progress, isFinished })
    for (;;) {
      range.signal.throwIfAborted()
      if (how === 'pull' && room <= 0)
        room = await waitForRoom(parts, { environment, range, maximumQueued: options.maximumQueued ?? 10_000 })
      const page = await comparePage(store, { environment, range, cursor: progress.cursor })
      const missing = page.events.filter(({ verdict }) => verdict === 'missing')
      room -= missing.length
      const { concurrency = 4 } = options
      progress =
        how === 'pull'
          ? await pullMissing(parts, { range, run: opened.run, progress, missing, concurrency })
          : await askForRedelivery({ range, progress, missing })
      progress = {
        ...progress,
        cursor: page.next ?? progress.cursor,
        counts: added(progress.counts, countsOf(page.events)),
      }
      await store.saveRun(opened.run, progress)
      if (page.next === undefined) return report(true)
      options.onProgress?.(report())
    }
  })
}

/** What tells one run from another: one source may have several histories, of several accounts or hooks. */
type Plan = {
  readonly history: string
  readonly from: Date
  readonly to: Date
  readonly types: readonly string[] | undefined
  readonly how: 'pull' | 'redeliver'
  readonly isAutomatic?: boolean | undefined
}

async function unfinished(
  { store, environment, sources }: BackfillParts,
  options: BackfillToContinue,
): Promise<AutomaticWish> {
  const { source } = options
  const history = options.history ?? sources.get(source)?.settings.history
  const runs = await store.findRuns(environment, { kind: 'backfill', source, isFinished: false })
  const plans = runs.map(({ plan }) => JSON.parse(plan) as Plan)
  const plan = plans.find((one) => one.history === history?.name)
  if (plan === undefined) throw invalidOptions('The back-fill', [`there is no unfinished one of the source ${source}.`])
  const { from, to, types, how, isAutomatic } = plan
  return {
    ...options,
    from: new Date(from),
    to: new Date(to),
    how,
    ...(types !== undefined && { types }),
    ...(isAutomatic === true && { isAutomatic }),
  }
}

/** What was missing is counted by what became of it. */
function countsOf(events: readonly ComparedEvent[]): RunProgress['counts'] {
  const count = (verdict: ComparedEvent['verdict']): number =>
    events.filter((event) => event.verdict === verdict).length
  return {
    listed: events.length,
    known: count('known'),
    notAllowed: count('not_allowed'),
    notHandled: count('not_handled'),
  }
}

function reportOf(of: {
  readonly runId: string
  readonly range: HistoryRange
  readonly how: 'pull' | 'redeliver'
  readonly progress: RunProgress
  readonly isFinished: boolean
}): BackfillReport {
  const { runId, range, how, progress, isFinished } = of
  const { source, history, from, to, blindBefore } = range
  const { listed = 0, known = 0, recorded = 0, asked = 0, notAllowed = 0, notHandled = 0, failed = 0 } = progress.counts
  const counts = { listed, known, recorded, asked, notAllowed, notHandled, failed, failures: progress.failures ?? [] }
  return { runId, source, history: history.name, from, to, how, isFinished, blindBefore, ...counts }
}
