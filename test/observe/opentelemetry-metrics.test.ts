import * as api from '@opentelemetry/api'
import {
  AggregationTemporality,
  DataPointType,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { expect } from 'vitest'
import { createMetrics } from '../../src/observe/metrics.ts'
import { openTelemetryMetrics } from '../../src/observe/opentelemetry.ts'
import { handler } from '../../src/targets/handler.ts'
import { stripeDelivery } from '../support/inbox.ts'
import { test } from './open-inbox.ts'
import { samplesOf } from './samples.ts'

const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 2 ** 30 })
api.metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }))

test('OpenTelemetry is told the same as Prometheus', async ({ makeInbox }) => {
  const inbox = makeInbox({ mode: 'queued', targets: { mail: handler(() => {}) } })
  inbox.on('stripe', 'invoice.paid', async (event, { attempt, outbox }) => {
    if (event.id === 'evt_1' && attempt === 1) throw new Error('no')
    await outbox.add('mail', {})
  })
  const metrics = createMetrics(inbox)
  const telemetry = openTelemetryMetrics(inbox, api)
  for (const id of ['evt_1', 'evt_2', 'evt_2']) await inbox.receive('stripe', stripeDelivery(id))
  await inbox.receive('stripe', {})
  await inbox.drain()

  const exposed = samplesOf(await metrics.text())
  const exported = await collect()
  telemetry.stop()
  await inbox.receive('stripe', {})
  const afterwards = await collect()

  const comparable = (samples: Readonly<Record<string, number>>): readonly string[] =>
    Object.entries(samples)
      .filter(([name, value]) => !/_bucket|_sum|_oldest_due|_ledger_/.test(name) && value !== 0)
      .map(([name, value]) => `${name.replace('type="",', '')} ${value}`)
      .toSorted()
  expect(comparable(exported)).toEqual(comparable(exposed))
  expect(Object.keys(exported).filter((name) => name.startsWith('oncehook_ledger_rows'))).toHaveLength(3)
  expect(afterwards[forgeries]).toBe(exported[forgeries])
})

const forgeries = 'oncehook_signature_failures_total{source="stripe",reason="signature_missing"}'

/** What is exported, under the names that Prometheus would give it. */
async function collect(): Promise<Readonly<Record<string, number>>> {
  exporter.reset()
  await reader.forceFlush()
  const metrics = exporter.getMetrics()[0]?.scopeMetrics.flatMap((scope) => scope.metrics) ?? []
  const samples = metrics.flatMap(({ descriptor, dataPointType, dataPoints }) =>
    dataPoints.map(({ attributes, value }): readonly [string, number] => {
      const isHistogram = typeof value === 'object'
      const isTotal = dataPointType === DataPointType.SUM
      const unit = descriptor.unit === 's' ? '_seconds' : ''
      const ending = isHistogram ? '_count' : isTotal ? '_total' : ''
      const labels = Object.entries(attributes).map(([name, text]) => `${name}="${String(text)}"`)
      const name = `${descriptor.name.replaceAll('.', '_')}${unit}${ending}`
      return [
        `${name}${labels.length === 0 ? '' : `{${labels.join(',')}}`}`,
        isHistogram ? (value as { count: number }).count : value,
      ]
    }),
  )
  return Object.fromEntries(samples)
}
