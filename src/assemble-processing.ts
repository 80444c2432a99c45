import { hostname } from 'node:os'
import type { WebhookEvent } from './effects/handler.ts'
import type { Processing } from './effects/processing.ts'
import { describeError, type Hide } from './errors.ts'
import type { EventHub } from './events.ts'
import { warningsToConsole, withFields } from './observe/log.ts'
import type { InboxOptions } from './options.ts'
import type { Provider } from './verify/provider.ts'

type ProcessingParts = {
  readonly emit: EventHub['emit']
  readonly hide: Hide
  readonly sources: ReadonlyMap<string, Provider>
  readonly targets: ReadonlyMap<string, unknown>
  readonly onMessages: () => void
}

/** What processing needs, from the options. */
export function createProcessing<Tx>(options: InboxOptions<Tx>, parts: ProcessingParts): Processing<Tx> {
  const { emit, hide, sources, targets, onMessages } = parts
  const { store, logger = warningsToConsole, worker = {}, maximumDeferSeconds = 3 * 86_400 } = options
  return {
    store,
    emit,
    hide,
    tracing: options.tracing,
    targets: new Set(targets.keys()),
    fetchCurrentOf: (source) => sources.get(source)?.settings.fetchCurrent,
    readDocumentOf: (source) => sources.get(source)?.readDocument,
    onMessages,
    onOutage: outageTeller(emit),
    logFor: (event, attempt) => withFields(logger, () => ({ ...identifiersOf(event), attempt })),
    worker: worker.name ?? `${hostname()}:${process.pid}`,
    maximumDeferSeconds,
  }
}

function identifiersOf({ source, id, type, objectId, receiptId, correlationId }: WebhookEvent): object {
  return { source, eventId: id, type, objectId, receiptId, correlationId }
}

function outageTeller(emit: EventHub['emit']): (error: unknown) => void {
  const message = 'The worker could not reach the store; it tries again.'
  return (error) => emit({ kind: 'notice', level: 'error', message, error: describeError(error) })
}
