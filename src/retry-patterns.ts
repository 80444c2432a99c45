import { invalidOptions } from './errors.ts'
import { type RetryPattern, type RetryPatternFilter, retryLimitsOf, retryPatternOf } from './receipt/retry-pattern.ts'
import type { Store } from './store/store.ts'
import type { Provider } from './verify/provider.ts'

export type RetryPatternParts<Tx> = {
  readonly store: Store<Tx>
  readonly environment: string
  readonly sources: ReadonlyMap<string, Provider>
  /** What handlers do unless they or their source say otherwise. */
  readonly mode: 'inline' | 'queued'
  /** Resolves when what is looked at counts the deliveries of a moment ago too. */
  readonly settled: () => Promise<void>
}

const defaultDays = 7

/** How often, after how long and why events come again, beside what their providers document. */
export function createRetryPatterns<Tx>(
  parts: RetryPatternParts<Tx>,
): (filter?: RetryPatternFilter) => Promise<readonly RetryPattern[]> {
  const { store, environment, sources, mode, settled } = parts
  return async ({ source, since = new Date(Date.now() - defaultDays * 86_400_000) } = {}) => {
    if (Number.isNaN(since.getTime())) throw invalidOptions('retryPatterns', ['since is no time: give a Date.'])
    await settled()
    const limits = [...sources].map(([name, { facts, settings }]) => retryLimitsOf(name, facts, settings.mode ?? mode))
    const counted = await store.retryPatterns(environment, { source, since, limits })
    return counted.map((one) => retryPatternOf(one, sources.get(one.source)?.facts))
  }
}
