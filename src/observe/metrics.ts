import type { InboxListener } from '../events.ts'
import type { Gauges } from '../receipt/gauges.ts'
import { contentTypes, expose, type Format } from './exposition.ts'
import { createMeasure } from './measure.ts'
import { chosenFormat } from './negotiation.ts'
import { type Readings, read } from './readings.ts'
import { createRegistry, type Registry } from './registry.ts'

/** The part of an inbox that is needed. */
export type MeasuredInbox = {
  readonly subscribe: (listener: InboxListener) => () => void
  readonly gauges: () => Promise<Gauges>
  readonly sources: readonly string[]
  readonly targets: readonly string[]
}

/** The options of `createMetrics`. */
export type MetricsOptions = {
  /** Event types of a source that are told apart; the rest is `other`. Default 100. */
  readonly maximumTypes?: number
  /** How long the database may take to answer before its figures are left out. Default 5. */
  readonly timeoutSeconds?: number
}

/** The measurements of an inbox, for Prometheus. */
export type Metrics = {
  /** All of them as text. Asks the database once. */
  readonly text: (format?: Format) => Promise<string>
  /** Answers a scrape, in the format that it asks for. */
  readonly handler: (request: Request) => Promise<Response>
  /** Ends the measuring. */
  readonly stop: () => void
}

/** Measures from now on what this process does. Create it once, before the first delivery. */
export function createMetrics(inbox: MeasuredInbox, options: MetricsOptions = {}): Metrics {
  const { maximumTypes = 100, timeoutSeconds = 5 } = options
  const registry = createRegistry()
  const stop = inbox.subscribe(createMeasure(registry, { maximumTypes, maximumSources: 1000 }))
  let reading: Promise<Readings> | undefined
  beginSeries(registry, inbox)

  return {
    text,
    async handler(request) {
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        return new Response(null, { status: 405, headers: { allow: 'GET, HEAD' } })
      }
      const format = chosenFormat(request.headers.get('accept') ?? '')
      const headers = { 'content-type': contentTypes[format], 'cache-control': 'no-store' }
      return new Response(request.method === 'HEAD' ? null : await text(format), { headers })
    },
    stop,
  }

  async function text(format: Format = 'plain'): Promise<string> {
    return expose(registry, await readOnce(), format)
  }

  /** Scrapes that come at once share what was read. */
  function readOnce(): Promise<Readings> {
    reading ??= read(inbox.gauges, timeoutSeconds).finally(() => {
      reading = undefined
    })
    return reading
  }
}

/** What becomes of a delivery whose signed body came before. A single one is worth an alert. */
const replayedOutcomes = ['accepted', 'processed', 'duplicate', 'ignored', 'failed'] as const

function beginSeries({ begin }: Registry, { sources, targets }: MeasuredInbox): void {
  for (const source of sources) {
    begin('firstAttempts', { source })
    begin('firstAttemptErrors', { source })
    begin('leaseLosses', { source })
    begin('abandonedRuns', { source })
    for (const outcome of replayedOutcomes) begin('replayedBodies', { source, outcome })
  }
  for (const target of targets) {
    for (const outcome of ['published', 'retrying', 'dead'] as const) begin('messages', { target, outcome })
  }
}
