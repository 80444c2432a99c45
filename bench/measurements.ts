/** What one contender did in one round. */
export type Measurement = {
  readonly section: string
  /** What was measured in the section, for example `64 connections`. */
  readonly scene: string
  readonly contender: string
  readonly round: number
  readonly values: Readonly<Record<string, number>>
}

/** Which figure. */
export type Figure = {
  readonly section: string
  readonly scene: string
  readonly contender: string
  readonly metric: string
}

/** The median over all rounds; undefined where it was not measured. */
export function medianOf(measurements: readonly Measurement[], figure: Figure): number | undefined {
  return median([...byRound(measurements, figure).values()])
}

/**
 * One figure as a multiple of another: the median of the ratios of each round, as what disturbs a round disturbs both.
 * Undefined where one of them was not measured.
 */
export function ratioOf(measurements: readonly Measurement[], figure: Figure, base: Figure): number | undefined {
  const bases = byRound(measurements, base)
  const ratios = [...byRound(measurements, figure)].flatMap(([round, value]) => {
    const divisor = bases.get(round)
    return divisor === undefined || divisor === 0 ? [] : [value / divisor]
  })
  return median(ratios)
}

/** The scenes of a section, in the order in which they came. */
export function scenesOf(measurements: readonly Measurement[], section: string): readonly string[] {
  return [...new Set(measurements.filter((one) => one.section === section).map(({ scene }) => scene))]
}

function median(numbers: readonly number[]): number | undefined {
  const sorted = numbers.toSorted((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle]
  const lower = sorted[middle - 1]
  return sorted.length % 2 === 1 || upper === undefined || lower === undefined ? upper : (lower + upper) / 2
}

export function percentile(numbers: readonly number[], percent: number): number {
  const sorted = numbers.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN
}

function byRound(measurements: readonly Measurement[], figure: Figure): ReadonlyMap<number, number> {
  const { section, scene, contender, metric } = figure
  const fitting = measurements.filter(
    (one) => one.section === section && one.scene === scene && one.contender === contender,
  )
  return new Map(
    fitting.flatMap(({ round, values }) => {
      const value = values[metric]
      return value === undefined ? [] : [[round, value] as const]
    }),
  )
}
