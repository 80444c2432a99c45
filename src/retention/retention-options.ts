import type { RetentionRule } from '../store/retention-store.ts'
import type { Provider } from '../verify/provider.ts'
import { type OffPeakWindow, windowMistakes } from './off-peak.ts'

/** How what is past its days is removed. How long it is kept is said by each source. */
export type RetentionOptions = {
  /** Only in these hours. Default: at any time. */
  readonly window?: OffPeakWindow
  /** How long one run may take. There is one every hour, and more where that was not enough. Default 60. */
  readonly budgetSeconds?: number
  /** How many receipts one statement removes. Default 500. */
  readonly batchSize?: number
  /** How long deliveries, refusals and runs without a receipt are kept in the logs. Default: as long as the longest `keepDays`. */
  readonly keepLogDays?: number
  /** How long keys of `once`, `latest` and `sameChange` are kept once the receipt is gone that made them. Default `forever`. */
  readonly keepEffectDays?: number | 'forever'
}

/** The same, every default in place. */
export type RetentionSettings = Required<Omit<RetentionOptions, 'window'>> & {
  readonly window: OffPeakWindow | undefined
  readonly rules: readonly RetentionRule[]
}

/** Bodies are most of what is stored, and are rarely looked at later. One time for all lets whole days be dropped. */
const defaultBodyDays = 14

export function retentionSettings(
  options: RetentionOptions,
  sources: ReadonlyMap<string, Pick<Provider, 'facts' | 'settings'>>,
): RetentionSettings {
  const rules = [...sources].map(([source, { facts, settings }]) => {
    const keepsKeys = settings.keepDays === 'forever'
    // Receipts are kept whole for as long as they would be otherwise; after that a key is enough.
    const keepDays =
      settings.keepDays === 'forever'
        ? Math.max(facts.keepDays, settings.keepBodyDays ?? 0)
        : (settings.keepDays ?? facts.keepDays)
    return { source, keepDays, keepsKeys, keepBodyDays: settings.keepBodyDays ?? Math.min(defaultBodyDays, keepDays) }
  })
  return {
    window: options.window,
    budgetSeconds: options.budgetSeconds ?? 60,
    batchSize: options.batchSize ?? 500,
    keepLogDays: options.keepLogDays ?? longestOf(rules),
    keepEffectDays: options.keepEffectDays ?? 'forever',
    rules,
  }
}

/** Every mistake, each with the name of its option. Numbers in ranges are checked with all others. */
export function retentionMistakes(
  options: unknown,
  sources: ReadonlyMap<string, Pick<Provider, 'facts' | 'settings'>>,
): readonly string[] {
  if (options === undefined || options === 'off') return []
  if (typeof options !== 'object' || options === null) return ["retention must be 'off' or an object with options."]
  const { window, keepEffectDays = 'forever' } = options as RetentionOptions
  const longest = longestOf(retentionSettings({}, sources).rules)
  return [
    ...(window === undefined ? [] : windowMistakes(window)),
    ...(keepEffectDays === 'forever' || (typeof keepEffectDays === 'number' && keepEffectDays >= longest)
      ? []
      : [
          `retention.keepEffectDays is ${JSON.stringify(keepEffectDays)}: give 'forever', or at least ${longest}, for as long as receipts are kept.`,
        ]),
  ]
}

function longestOf(rules: readonly RetentionRule[]): number {
  return Math.max(1, ...rules.map(({ keepDays }) => keepDays))
}
