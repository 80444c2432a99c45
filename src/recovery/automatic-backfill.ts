import type { Clock } from '../clock.ts'
import { describeError } from '../errors.ts'
import type { InboxListener } from '../events.ts'
import type { RecoveryStore } from '../store/recovery-store.ts'
import type { UpkeepContext, UpkeepResult, UpkeepTask } from '../upkeep.ts'
import type { Provider } from '../verify/provider.ts'
import type { AutomaticWish, BackfillReport } from './backfill.ts'
import { findOutage, type Outage, watched } from './find-outage.ts'

/** When gaps are filled without being asked to. */
export type AutomaticBackfillOptions = {
  /** After an outage, sources with a history are back-filled by themselves. Default false. */
  readonly automatic?: boolean
  /** How long nobody may have been there, or a source have been silent, before its provider is asked. Default 300. */
  readonly outageSeconds?: number
}

export type AutomaticParts = {
  readonly store: Pick<RecoveryStore, 'readWatches' | 'saveWatches' | 'findRuns'>
  readonly environment: string
  readonly sources: ReadonlyMap<string, Provider>
  readonly clock: Clock
  readonly emit: InboxListener
  readonly backfill: (options: AutomaticWish) => Promise<BackfillReport>
}

/** How often somebody looks. The time of the last look is how an outage of all processes shows. */
const everySeconds = 60
const afterFailureSeconds = 300

/** None unless it is switched on. One process at a time does it, as all upkeep. */
export function automaticBackfillTasks(
  options: AutomaticBackfillOptions | undefined,
  parts: AutomaticParts,
): readonly UpkeepTask[] {
  if (options?.automatic !== true) return []
  const { outageSeconds = 300 } = options
  return [{ name: 'backfill', everySeconds, run: (context) => look(parts, outageSeconds, context) }]
}

async function look(parts: AutomaticParts, outageSeconds: number, context: UpkeepContext): Promise<UpkeepResult> {
  const { store, environment, sources } = parts
  const names = [...sources].flatMap(([name, { settings }]) => (settings.history === undefined ? [] : [name]))
  const interrupted = await unfinished(parts, names)
  const watches = await store.readWatches(environment, names)
  const outages = watches.flatMap((watch) => findOutage(watch, outageSeconds) ?? [])
  const due = [...interrupted, ...outages.filter(({ source }) => !interrupted.some((one) => one.source === source))]
  let recorded = 0
  let failed = 0
  for (const outage of due) {
    // What was not looked into yet stays due: the time of the last look moves on once all of it was, or is a run that can be continued.
    if (!context.mayContinue()) return { outcome: 'unfinished' }
    const report = await fill(parts, outage, context)
    recorded += report?.recorded ?? 0
    failed += report === undefined ? 1 : 0
  }
  await store.saveWatches(
    environment,
    watches.map((watch) => watched(watch, outageSeconds)),
  )
  const counts = { outages: due.length, recorded, failed }
  return failed > 0 ? { counts, nextInSeconds: afterFailureSeconds } : { counts }
}

/** Runs that another process began by itself and could not finish. */
async function unfinished(
  { store, environment }: AutomaticParts,
  names: readonly string[],
): Promise<readonly Outage[]> {
  const runs = await store.findRuns(environment, { kind: 'backfill', isFinished: false })
  return runs.flatMap(({ source, plan }) => {
    const { isAutomatic = false, from, to } = JSON.parse(plan) as { isAutomatic?: boolean; from: string; to: string }
    return isAutomatic && names.includes(source)
      ? [{ source, from: new Date(from), to: new Date(to), reason: 'interrupted' as const }]
      : []
  })
}

/** Never rejects: a provider that cannot be asked now is asked again at the next look. */
async function fill(
  { emit, backfill }: AutomaticParts,
  outage: Outage,
  { signal }: UpkeepContext,
): Promise<BackfillReport | undefined> {
  const { source, from, to, reason } = outage
  const time = `from ${from.toISOString()} until ${to.toISOString()}`
  emit({
    kind: 'notice',
    level: 'info',
    message: `${beginnings[reason](source)} Its provider is asked for what was sent ${time}.`,
  })
  try {
    const report = await backfill({ source, from, to, isAutomatic: true, signal })
    const { recorded, listed, failed } = report
    const message = `Back-fill of ${source} ${time}: ${recorded} of ${listed} events had never arrived${failed > 0 ? `, and ${failed} are gone at the provider` : ''}.`
    emit({ kind: 'notice', level: recorded + failed > 0 ? 'warning' : 'info', message })
    return report
  } catch (error) {
    emit({
      kind: 'notice',
      level: 'error',
      message: `The back-fill of ${source} did not come to its end.`,
      error: describeError(error),
    })
    return undefined
  }
}

const beginnings: Readonly<Record<Outage['reason'], (source: string) => string>> = {
  away: (source) => `Nobody was there to receive deliveries of ${source}.`,
  silent: (source) => `${source} has been silent for longer than usual.`,
  heard_again: (source) => `${source} is heard again after a long silence.`,
  interrupted: (source) => `The back-fill of ${source} was interrupted.`,
}
