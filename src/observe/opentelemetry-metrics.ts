import { createMeasure } from './measure.ts'
import {
  counters,
  gauges,
  histograms,
  type LabelsOf,
  type Measures,
  type Metric,
  type ReadName,
  readCounters,
} from './metric-list.ts'
import type { MeasuredInbox, MetricsOptions } from './metrics.ts'
import type { MetricsApi, OtelMeter, OtelMetricOptions, OtelObservation } from './opentelemetry-api.ts'
import { read } from './readings.ts'

/**
 * The same measurements as `createMetrics`, by OpenTelemetry. Give it what `import * as api from '@opentelemetry/api'` gives.
 * Names have dots and no endings, as is usual there: `oncehook.deliveries`. The database is asked once for each collection.
 */
export function openTelemetryMetrics(
  inbox: MeasuredInbox,
  api: MetricsApi,
  options: MetricsOptions = {},
): { readonly stop: () => void } {
  const { maximumTypes = 100, timeoutSeconds = 5 } = options
  const meter = api.metrics.getMeter('oncehook')
  const stopMeasuring = inbox.subscribe(createMeasure(measuresBy(meter), { maximumTypes, maximumSources: 1000 }))
  const stopReading = observeBy(meter, () => read(inbox.gauges, timeoutSeconds))
  return {
    stop() {
      stopMeasuring()
      stopReading()
    },
  }
}

/** `oncehook_accept_duration_seconds` becomes `oncehook.accept.duration`: the unit is told apart from the name. */
function otelNameOf({ name }: Metric): string {
  return name.replace(/_total$|_seconds$/, '').replaceAll('_', '.')
}

function measuresBy(meter: OtelMeter): Measures {
  const counting = mapped(counters, (metric) => meter.createCounter(otelNameOf(metric), optionsOf(metric)))
  const observing = mapped(histograms, (metric) =>
    meter.createHistogram(otelNameOf(metric), {
      ...optionsOf(metric),
      advice: { explicitBucketBoundaries: [...metric.buckets] },
    }),
  )
  return {
    count: (counter, labels, by = 1) => counting[counter].add(by, attributesOf(labels)),
    observe: (histogram, labels, value) => observing[histogram].record(value, attributesOf(labels)),
  }
}

function observeBy(meter: OtelMeter, readAll: () => ReturnType<typeof read>): () => void {
  const metrics: Readonly<Record<ReadName, Metric>> = { ...gauges, ...readCounters }
  const observables = {
    ...mapped(gauges, (metric) => meter.createObservableGauge(otelNameOf(metric), optionsOf(metric))),
    ...mapped(readCounters, (metric) => meter.createObservableCounter(otelNameOf(metric), optionsOf(metric))),
  }
  const observe = async (result: OtelObservation): Promise<void> => {
    const readings = await readAll()
    for (const name of Object.keys(metrics) as ReadName[]) {
      for (const { labels, value } of readings[name] ?? []) {
        const pairs = metrics[name].labels.map((label, index) => [label, labels[index] ?? ''])
        result.observe(observables[name], value, attributesOf(Object.fromEntries(pairs)))
      }
    }
  }
  const all = Object.values(observables)
  meter.addBatchObservableCallback(observe, all)
  return () => meter.removeBatchObservableCallback(observe, all)
}

/** A label that is empty says nothing. */
function attributesOf(labels: Readonly<Record<string, string>> | LabelsOf<Metric>): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).filter(([, value]) => value !== ''))
}

function optionsOf({ name, help }: Metric): OtelMetricOptions {
  return name.endsWith('_seconds') ? { description: help, unit: 's' } : { description: help }
}

function mapped<Name extends string, Of extends Metric, Value>(
  metrics: Readonly<Record<Name, Of>>,
  make: (metric: Of) => Value,
): Readonly<Record<Name, Value>> {
  const entries = Object.entries<Of>(metrics).map(([name, metric]) => [name, make(metric)])
  return Object.fromEntries(entries) as Record<Name, Value>
}
