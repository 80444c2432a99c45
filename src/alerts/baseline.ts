import type { SourceSituation, TrafficSums } from '../store/alert-store.ts'

/** With fewer deliveries a share says nothing. */
const leastDeliveries = 20

/** With fewer stretches of time nothing is usual yet. */
const leastHours = 3

/**
 * The share that is usual at this time: of the same hour of the weeks before, if two of them are known, else of the last day's hours.
 * Undefined if too little is known to call anything usual.
 */
export function usualShare(
  { weeks, hours }: Pick<SourceSituation, 'weeks' | 'hours'>,
  part: (sums: TrafficSums) => number,
  whole: (sums: TrafficSums) => number,
): number | undefined {
  const shares = (all: readonly TrafficSums[]): readonly number[] =>
    all.flatMap((sums) => (whole(sums) >= leastDeliveries ? [part(sums) / whole(sums)] : []))
  if (shares(weeks).length >= 2) return median(shares(weeks))
  if (shares(hours).length >= leastHours) return median(shares(hours))
  // A source that sends little: all of the day together.
  const total = sum(hours.map(whole))
  return hours.length >= leastHours && total >= leastDeliveries ? sum(hours.map(part)) / total : undefined
}

/** How many are usual in a quarter of an hour. An hour of which nothing is known had none. */
export function usualCount(
  { weeks, hours }: Pick<SourceSituation, 'weeks' | 'hours'>,
  count: (sums: TrafficSums) => number,
): number {
  const known = weeks.length >= 2 ? weeks.map(count) : filledUp(hours.map(count), 24)
  return median(known) / 4
}

/** The one in the middle; of an even number the mean of both. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2
}

function filledUp(numbers: readonly number[], length: number): readonly number[] {
  return [...numbers, ...Array.from({ length: Math.max(0, length - numbers.length) }, () => 0)]
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
