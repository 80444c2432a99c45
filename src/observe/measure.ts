import type { DeliveryEvent, EffectEvent, HandlerEvent, InboxListener, UpkeepEvent } from '../events.ts'
import { createLabelValues } from './label-values.ts'
import type { Measures } from './metric-list.ts'

/** Types of one source, and sources, that are told apart. */
export type MeasureOptions = { readonly maximumTypes: number; readonly maximumSources: number }

/** Anybody can call any path, so a name that nobody has configured is not told apart. */
const unknownSource = 'unknown'

/** Shares of the provider's deadline, in percent. */
const deadlineShares = [50, 80, 100] as const

/** Turns what happens into measurements. */
export function createMeasure(
  { count, observe }: Measures,
  { maximumTypes, maximumSources }: MeasureOptions,
): InboxListener {
  const sources = createLabelValues(maximumSources)
  const types = createLabelValues(maximumTypes)
  const sourceOf = (source: string): string => sources.bounded('source', source)
  const typeOf = (source: string, type: string): string => types.bounded(source, type)

  return (event) => {
    switch (event.kind) {
      case 'delivery':
        return measureDelivery(event)
      case 'handler':
        return measureHandler(event)
      case 'effect':
        return measureEffect(event)
      case 'message':
        return count('messages', { target: event.target, outcome: event.outcome })
      case 'upkeep':
        return measureUpkeep(event)
      case 'notice':
        return count('notices', { level: event.level })
    }
  }

  function measureDelivery(event: DeliveryEvent): void {
    const { outcome, reason, latencyMilliseconds } = event
    const isUnknown = outcome === 'refused' && event.detail === 'unknown_source'
    const source = isUnknown ? unknownSource : sourceOf(event.source)
    // Only an authentic delivery has a type.
    const type = event.type === undefined ? '' : typeOf(source, event.type)
    count('deliveries', { source, type, outcome })
    if (event.repeatsEventId !== undefined) count('replayedBodies', { source, outcome })
    if (outcome === 'duplicate') count('duplicates', { source, type, body: reason === 'mutated' ? 'other' : 'same' })
    if (outcome === 'forged') count('signatureFailures', { source, reason: reason ?? 'unknown' })
    if (outcome === 'malformed') count('refused', { source, reason: 'malformed' })
    if (outcome === 'refused') count('refused', { source, reason: event.detail ?? 'unknown' })
    if (outcome === 'ignored') count('ignored', { source, type, reason: reason ?? 'unknown' })
    if (reason === 'dead_letter') count('deadLettered', { source, type })
    if (event.secretIndex === undefined) return
    count('secretDeliveries', { source, secret: String(event.secretIndex + 1) })
    const seconds = latencyMilliseconds / 1000
    observe('acceptDuration', { source }, seconds)
    if (outcome === 'processed') observe('processingLag', { source }, seconds)
    measureDeadline(event, source)
  }

  function measureDeadline({ deadlineSeconds, latencyMilliseconds }: DeliveryEvent, source: string): void {
    if (deadlineSeconds === undefined) return
    count('deadlineDeliveries', { source })
    for (const share of deadlineShares) {
      if (latencyMilliseconds > deadlineSeconds * 10 * share) count('deadlinePassed', { source, share: String(share) })
    }
  }

  function measureHandler(event: HandlerEvent): void {
    const { handler, outcome, attempt, endsAs } = event
    const source = sourceOf(event.source)
    const type = typeOf(source, event.type)
    if (outcome === 'abandoned') return count('abandonedRuns', { source })
    count('handlerRuns', { source, type, handler, outcome })
    if (endsAs === 'processed') count('processed', { source, type })
    if (endsAs === 'failed') count('deadLettered', { source, type })
    if (outcome === 'lease_lost') return count('leaseLosses', { source })
    if (event.tookMilliseconds > 0) observe('handlerDuration', { source, handler }, event.tookMilliseconds / 1000)
    if (event.lagMilliseconds !== undefined) observe('processingLag', { source }, event.lagMilliseconds / 1000)
    if (attempt !== 1 || outcome === 'deferred') return
    count('firstAttempts', { source })
    if (outcome !== 'succeeded') count('firstAttemptErrors', { source })
  }

  function measureUpkeep({ task, outcome, counts }: UpkeepEvent): void {
    count('upkeepRuns', { task, outcome })
    for (const [what, number] of Object.entries(counts)) count('upkeepDone', { task, what }, number)
  }

  function measureEffect({ outcome, ...event }: EffectEvent): void {
    const source = sourceOf(event.source)
    count(passedOver[outcome], { source, type: typeOf(source, event.type) })
  }
}

const passedOver = {
  skipped: 'effectConflicts',
  stale: 'stale',
  same_change: 'sameChange',
} as const satisfies Readonly<Record<EffectEvent['outcome'], string>>
