import type { Delivery } from '../delivery/delivery.ts'
import { createBodyId } from '../receipt/body-id.ts'
import type { NotedCall, ShadowEnding } from '../store/shadow-store.ts'
import type { Provider } from '../verify/provider.ts'
import type { Judged } from './judge-delivery.ts'

/** How the handler ended: `answered` with a status, `failed` with an error, or `disconnected` because the sender did not wait. */
export type CallEnding = { readonly ending: ShadowEnding; readonly status?: number }

/** One call of the other handler, while it is in memory. Times are those of `performance.now()`. */
export type OpenCall = {
  readonly id: string
  readonly source: string
  readonly provider: Provider
  readonly startedAt: number
  isDelivered: boolean
  ending: (CallEnding & { readonly at: number }) | undefined
  judged: Judged | undefined
  /** Kept while a receipt may have to be made of it. */
  delivery: Delivery | undefined
  /** How often it could not be written. */
  tries: number
  /** Resolves when it is judged. */
  readonly settled: Promise<void>
  readonly settle: () => void
}

export function openCall(source: string, provider: Provider, id: string): OpenCall {
  let settle = (): void => {}
  const settled = new Promise<void>((resolve) => {
    settle = resolve
  })
  return {
    id,
    source,
    provider,
    startedAt: performance.now(),
    isDelivered: false,
    ending: undefined,
    judged: undefined,
    delivery: undefined,
    tries: 0,
    settled,
    settle,
  }
}

/** True once the handler said 2xx: then the event is processed, as far as anybody can say from outside. */
export function isAcknowledged({ ending }: Pick<OpenCall, 'ending'>): boolean {
  return ending?.ending === 'answered' && ending.status !== undefined && ending.status >= 200 && ending.status < 300
}

export type NoteParts = {
  readonly environment: string
  readonly worker: string
  readonly timeOf: (milliseconds: number) => Date
}

/** A row for each event of the delivery; one row for a delivery without any. */
export function notesOf(call: OpenCall, { environment, worker, timeOf }: NoteParts): readonly NotedCall[] {
  const { id, judged, source, startedAt, ending } = call
  if (judged === undefined) return []
  const events = judged.verdict === 'authentic' && judged.events.length > 0 ? judged.events : [undefined]
  return events.map((event, place) => ({
    id,
    place,
    environment,
    source,
    eventId: event?.id,
    type: event?.type,
    verdict: judged.verdict,
    reason: judged.verdict === 'authentic' ? undefined : judged.reason,
    worker,
    startedAt: timeOf(startedAt),
    ended: ending && { at: timeOf(ending.at), ending: ending.ending, status: statusOf(ending) },
    deliveries: 1,
  }))
}

/** Deliveries of which nothing is known but that they came. */
export function missedNote(
  source: string,
  deliveries: number,
  { environment, worker, timeOf }: NoteParts,
  at: Date,
): NotedCall {
  return {
    id: createBodyId(at),
    place: 0,
    environment,
    source,
    eventId: undefined,
    type: undefined,
    verdict: 'missed',
    reason: undefined,
    worker,
    startedAt: timeOf(performance.now()),
    ended: undefined,
    deliveries,
  }
}

/** One that no answer can have would make the whole write fail. */
function statusOf({ status }: CallEnding): number | undefined {
  return status !== undefined && Number.isInteger(status) && status >= 100 && status <= 999 ? status : undefined
}
