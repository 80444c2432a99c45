import type { RunFailure, RunProgress } from '../store/recovery-store.ts'

/** The sum of both. */
export function added(counts: RunProgress['counts'], more: RunProgress['counts']): RunProgress['counts'] {
  return {
    ...counts,
    ...Object.fromEntries(Object.entries(more).map(([name, count]) => [name, (counts[name] ?? 0) + count])),
  }
}

const mostFailuresKept = 100

/** The run, with what it could not bring in. */
export function withFailures(progress: RunProgress, failures: readonly RunFailure[]): RunProgress {
  return {
    ...progress,
    counts: added(progress.counts, { failed: failures.length }),
    failures: [...(progress.failures ?? []), ...failures].slice(0, mostFailuresKept),
  }
}
