import { systemClock } from './clock.ts'
import type { HandlerRegistry } from './effects/handler-registry.ts'
import type { Processing } from './effects/processing.ts'
import { describeError } from './errors.ts'
import type { InboxOptions } from './options.ts'
import { createRecovery } from './recovery/recovery.ts'
import type { RedactDelivery } from './redact-delivery.ts'
import { createShadow } from './shadow/shadow.ts'
import type { Provider } from './verify/provider.ts'

export type PartsForRecovery<Tx> = {
  readonly sources: ReadonlyMap<string, Provider>
  readonly registry: HandlerRegistry<Tx>
  readonly processing: Processing<Tx>
  readonly redact: RedactDelivery | undefined
  readonly ready: () => Promise<void>
  readonly wakeHere: () => void
}

type RecoveryAndShadow = ReturnType<typeof createRecovery> & ReturnType<typeof createShadow>

/** Joins what brings in events that did not come as webhooks, or that another handler has processed. */
export function assembleRecovery<Tx>(
  { store, environment = 'default', clock = systemClock, backfill }: InboxOptions<Tx>,
  { sources, registry, processing, redact, ready, wakeHere }: PartsForRecovery<Tx>,
): RecoveryAndShadow {
  const { worker, emit } = processing
  const shared = { environment, sources, clock, worker, ready, redact }
  return {
    ...createRecovery({
      ...shared,
      store: store.recovery,
      handling(source, type) {
        const handlers = registry.matched(source, type).all
        return { isHandled: handlers.length > 0, isOrdered: handlers.some(({ order }) => order === 'object') }
      },
      wake: wakeHere,
      emit,
      automatic: backfill,
    }),
    ...createShadow({
      ...shared,
      store: store.shadow,
      onError: (error) =>
        emit({
          kind: 'notice',
          level: 'warning',
          message: 'What was seen of the handler beside could not be written.',
          error: describeError(error),
        }),
    }),
  }
}
