import {
  type CounterName,
  counters,
  type HistogramName,
  histograms,
  type LabelsOf,
  type Measures,
  type Metric,
} from './metric-list.ts'

/** The measurements of one process, in memory. */
export type Registry = Measures & {
  /** Makes a series that stands at 0: a rise from nothing would not be seen as one. */
  readonly begin: <Name extends CounterName>(counter: Name, labels: LabelsOf<(typeof counters)[Name]>) => void
  readonly counts: (counter: CounterName) => readonly Series[]
  readonly distributions: (histogram: HistogramName) => readonly Distribution[]
}

/** One time series: the values of its labels in the order of the metric's labels. */
export type Series = { readonly labels: readonly string[]; readonly value: number }

export type Distribution = {
  readonly labels: readonly string[]
  /** Observations up to each bound, and one more for those above all bounds. Not added up. */
  readonly buckets: readonly number[]
  readonly sum: number
}

type OpenSeries = { readonly labels: readonly string[]; value: number }
type OpenDistribution = { readonly labels: readonly string[]; readonly buckets: number[]; sum: number }

export function createRegistry(): Registry {
  const series = mapsFor<CounterName, OpenSeries>(counters)
  const distributions = mapsFor<HistogramName, OpenDistribution>(histograms)

  return {
    begin: (counter, labels) => void seriesOf(counter, labels),
    count(counter, labels, by = 1) {
      seriesOf(counter, labels).value += by
    },
    observe(histogram, labels, value) {
      const metric = histograms[histogram]
      const one = entryOf(distributions[histogram], valuesOf(metric, labels), (values) => {
        return { labels: values, buckets: Array<number>(metric.buckets.length + 1).fill(0), sum: 0 }
      })
      const bucket = metric.buckets.findIndex((bound) => value <= bound)
      const index = bucket === -1 ? metric.buckets.length : bucket
      one.buckets[index] = (one.buckets[index] ?? 0) + 1
      one.sum += value
    },
    counts: (counter) => [...series[counter].values()],
    distributions: (histogram) => [...distributions[histogram].values()],
  }

  function seriesOf(counter: CounterName, labels: Readonly<Record<string, string>>): OpenSeries {
    return entryOf(series[counter], valuesOf(counters[counter], labels), (values) => ({ labels: values, value: 0 }))
  }
}

function mapsFor<Name extends string, Value>(
  metrics: Readonly<Record<Name, Metric>>,
): Readonly<Record<Name, Map<string, Value>>> {
  const maps = Object.keys(metrics).map((name) => [name, new Map<string, Value>()])
  return Object.fromEntries(maps) as Record<Name, Map<string, Value>>
}

function entryOf<Value>(
  known: Map<string, Value>,
  values: readonly string[],
  make: (values: readonly string[]) => Value,
): Value {
  const key = values.join('\u0000')
  const found = known.get(key)
  if (found !== undefined) return found
  const made = make(values)
  known.set(key, made)
  return made
}

function valuesOf({ labels }: Metric, given: Readonly<Record<string, string>>): readonly string[] {
  return labels.map((label) => given[label] ?? '')
}
