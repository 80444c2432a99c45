import { randomUUID } from 'node:crypto'
import { answerOf, refusalAnswer } from './delivery/answer.ts'
import { createBodyRoom } from './delivery/body-room.ts'
import type { Afterwards, Door, DoorSettings } from './delivery/door.ts'
import type { Outcome } from './delivery/outcome.ts'
import { describeError } from './errors.ts'
import type { EventHub } from './events.ts'
import { answersOf } from './observe-delivery.ts'
import type { DeliveryLog } from './receipt/delivery-log.ts'
import type { Receive } from './receive.ts'
import type { Provider } from './verify/provider.ts'

type DoorParts = {
  readonly sources: ReadonlyMap<string, Provider>
  readonly receive: Receive
  readonly hub: EventHub
  readonly deliveryLog: DeliveryLog
  readonly targets: readonly string[]
  readonly drain: Afterwards['drain']
}

/** Where adapters hand requests in. */
export function openDoor({ sources, receive, hub, deliveryLog, targets, drain }: DoorParts): Door {
  const { emit } = hub
  const settings = new Map<string, DoorSettings>()
  for (const [source, provider] of sources) {
    settings.set(source, { ...provider.settings, methods: provider.methods, refusalStatus: provider.refusalStatus })
  }
  return {
    room: createBodyRoom(),
    settingsOf: (source) => settings.get(source),
    receive,
    answer: (source, delivery, outcome) => answerOf(outcome, answersOf(sources.get(source), delivery)),
    onRefused(source, refusal) {
      const { status } = refusalAnswer(refusal, sources.get(source))
      emit({
        kind: 'delivery',
        outcome: 'refused',
        source,
        correlationId: randomUUID(),
        status,
        latencyMilliseconds: 0,
        detail: refusal.kind,
      })
    },
    onError: (error) =>
      emit({
        kind: 'notice',
        level: 'error',
        message: 'A request could not be handled.',
        error: describeError(error),
      }),
    flush: deliveryLog.flush,
    afterwards: { drain, isWorkLeft: (outcome) => isWorkLeft(outcome, targets.length > 0) },
  }
}

/** An event that was processed leaves messages at most, and those only where there is somewhere to send them. */
function isWorkLeft(outcome: Outcome, hasTargets: boolean): boolean {
  if (outcome.kind === 'batch') return outcome.outcomes.some((one) => isWorkLeft(one, hasTargets))
  return outcome.kind === 'accepted' || (hasTargets && outcome.kind === 'processed')
}
