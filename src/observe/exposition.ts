import { counters, gauges, type Histogram, histograms, type Metric, readCounters } from './metric-list.ts'
import type { Readings } from './readings.ts'
import type { Distribution, Registry, Series } from './registry.ts'

/** `plain`: Prometheus' text format 0.0.4. `openmetrics`: OpenMetrics 1.0. */
export type Format = 'plain' | 'openmetrics'

export const contentTypes: Readonly<Record<Format, string>> = {
  plain: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
}

/** All measurements as text. Metrics that have no series yet are left out. */
export function expose(registry: Registry, readings: Readings, format: Format): string {
  const lines = [
    ...namesOf(counters).flatMap((name) => counterLines(counters[name], registry.counts(name), format)),
    ...namesOf(histograms).flatMap((name) => histogramLines(histograms[name], registry.distributions(name), format)),
    ...namesOf(gauges).flatMap((name) => seriesLines(gauges[name], 'gauge', readings[name] ?? [], format)),
    ...namesOf(readCounters).flatMap((name) => counterLines(readCounters[name], readings[name] ?? [], format)),
    ...(format === 'openmetrics' ? ['# EOF'] : []),
  ]
  return `${lines.join('\n')}\n`
}

function namesOf<Name extends string>(metrics: Readonly<Record<Name, Metric>>): readonly Name[] {
  return Object.keys(metrics) as Name[]
}

function counterLines(metric: Metric, series: readonly Series[], format: Format): readonly string[] {
  return seriesLines(metric, 'counter', series, format)
}

function seriesLines(
  metric: Metric,
  type: 'counter' | 'gauge',
  series: readonly Series[],
  format: Format,
): readonly string[] {
  if (series.length === 0) return []
  const samples = series.map(({ labels, value }) => sample(metric.name, pairsOf(metric, labels), value))
  return [...headLines(metric, type, format), ...samples]
}

function histogramLines(metric: Histogram, distributions: readonly Distribution[], format: Format): readonly string[] {
  if (distributions.length === 0) return []
  const bounds = [...metric.buckets.map((bound) => boundText(bound, format)), '+Inf']
  const samples = distributions.flatMap(({ labels, buckets, sum }) => {
    const pairs = pairsOf(metric, labels)
    let count = 0
    const bucketLines = bounds.map((bound, index) => {
      count += buckets[index] ?? 0
      return sample(`${metric.name}_bucket`, [...pairs, ['le', bound]], count)
    })
    return [...bucketLines, sample(`${metric.name}_sum`, pairs, sum), sample(`${metric.name}_count`, pairs, count)]
  })
  return [...headLines(metric, 'histogram', format), ...samples]
}

type Pairs = readonly (readonly [name: string, value: string])[]

function pairsOf({ labels }: Metric, values: readonly string[]): Pairs {
  return labels.map((label, index) => [label, values[index] ?? ''])
}

/** In OpenMetrics the name of a counter's family is without `_total`. */
function headLines({ name, help }: Metric, type: string, format: Format): readonly string[] {
  const family = format === 'openmetrics' ? name.replace(/_total$/, '') : name
  return [`# HELP ${family} ${escaped(help, format === 'openmetrics')}`, `# TYPE ${family} ${type}`]
}

function sample(name: string, pairs: Pairs, value: number): string {
  const labels = pairs.map(([label, text]) => `${label}="${escaped(text, true)}"`).join(',')
  return `${name}${labels === '' ? '' : `{${labels}}`} ${numberText(value)}`
}

/** A text with a lone surrogate cannot be sent. */
function escaped(text: string, isQuoted: boolean): string {
  const lines = text.toWellFormed().replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
  return isQuoted ? lines.replaceAll('"', '\\"') : lines
}

function numberText(value: number): string {
  if (Number.isFinite(value)) return String(value)
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
}

/** OpenMetrics wants `1.0`, so that one bound has one name. */
function boundText(bound: number, format: Format): string {
  return format === 'openmetrics' && Number.isInteger(bound) ? `${bound}.0` : String(bound)
}
