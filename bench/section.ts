import type { Settings } from './settings.ts'
import type { Stage } from './stage.ts'

/** A column of a table. */
export type Metric = {
  readonly key: string
  readonly title: string
  /** Digits after the point. */
  readonly digits: number
}

/** A part of the benchmark: one question, answered by several contenders. */
export type Section = {
  readonly name: string
  readonly title: string
  /** The first one is what the ratio is about. */
  readonly metrics: readonly Metric[]
  readonly contenders: readonly { readonly key: string; readonly title: string }[]
  /** With whom the others are compared. */
  readonly baseline: string
  /** Left out of the quick form, unless it is named: what an operator asks once, not everybody who changes something. */
  readonly isFullOnly?: true
  readonly run: (context: SectionContext) => Promise<void>
}

export type SectionContext = {
  readonly stage: Stage
  readonly settings: Settings
  /** Says what is being done, on a line that is replaced by the next. */
  readonly say: (what: string) => void
  readonly record: (measurement: {
    readonly scene: string
    readonly contender: string
    readonly round: number
    readonly values: Readonly<Record<string, number>>
  }) => void
}

/** The same for all sections that are measured with requests. */
export const requestMetrics: readonly Metric[] = [
  { key: 'perSecond', title: 'requests/s', digits: 0 },
  { key: 'p50', title: 'p50 ms', digits: 2 },
  { key: 'p99', title: 'p99 ms', digits: 2 },
  { key: 'node', title: 'Node µs', digits: 0 },
  { key: 'postgres', title: 'Postgres µs', digits: 0 },
]

/** Those that this form of the benchmark measures. */
export function measuredIn<Contender extends { readonly isFullOnly?: true }>(
  { name }: Settings,
  contenders: readonly Contender[],
): readonly Contender[] {
  return name === 'quick' ? contenders.filter(({ isFullOnly }) => isFullOnly === undefined) : contenders
}

/**
 * One contender after another in every round, so that what disturbs the machine disturbs all of them. Every second round goes
 * backwards, so that none always follows the same other.
 */
export async function interleave<Contender>(
  { rounds }: Settings,
  contenders: readonly Contender[],
  run: (contender: Contender, round: number) => Promise<void>,
): Promise<void> {
  for (let round = 1; round <= rounds; round += 1) {
    const order = round % 2 === 1 ? contenders : contenders.toReversed()
    for (const contender of order) await run(contender, round)
  }
}
