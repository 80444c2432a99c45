import { createFetchHandler } from '../adapters/fetch.ts'
import { isOncehookError } from '../errors.ts'
import type { Delivery, Inbox, Outcome, Provider } from '../index.ts'
import type { ManualClock } from './manual-clock.ts'
import { signedDelivery, type TestDelivery, toRequest } from './test-delivery.ts'
import { sourceOf } from './test-sources.ts'

/** What the provider was told, and what became of its delivery. */
export type TestAnswer = {
  /** Of the HTTP answer; undefined if none came. */
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** What the inbox decided: `processed`, `duplicate`, `forged` and so on; `no_answer` if the process ended. */
  readonly kind: Outcome['kind'] | 'no_answer'
  /** All of it. Undefined if the request was turned away before it became a delivery, or if there is no answer. */
  readonly outcome: Outcome | undefined
}

export const noAnswer: TestAnswer = { status: undefined, headers: {}, body: '', kind: 'no_answer', outcome: undefined }

export type Receiver = {
  readonly inbox: Pick<Inbox<never>, 'door'>
  readonly sources: Readonly<Record<string, Provider>>
  readonly clock: ManualClock
}

/** Through the same door as a request. */
export async function deliverTo(
  { inbox, sources, clock }: Receiver,
  delivery: TestDelivery,
  wanted: string | undefined,
): Promise<TestAnswer> {
  const source = wanted ?? sourceOf(sources, delivery.provider)
  let outcome: Outcome | undefined
  const door: typeof inbox.door = {
    ...inbox.door,
    async receive(name, received) {
      outcome = await inbox.door.receive(name, received)
      return outcome
    },
    onRefused(name, refusal) {
      outcome = refusal
      inbox.door.onRefused?.(name, refusal)
    },
  }
  const response = await createFetchHandler({ door, source })(toRequest(signedFor(sources[source], delivery, clock)))
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.text(),
    kind: outcome?.kind ?? 'unavailable',
    outcome,
  }
}

/** Signed at this moment and with the secret that the inbox knows, unless the test said otherwise, or only the sender can sign. */
function signedFor(source: Provider | undefined, { making }: TestDelivery, clock: ManualClock): Delivery {
  const at = making.isTimeGiven ? making.at : clock.now()
  if (source === undefined || making.isSecretGiven) return signedDelivery({ ...making, at })
  try {
    return signedDelivery({ ...making, at, provider: source })
  } catch (error) {
    if (!isOncehookError(error, 'ONCEHOOK_CANNOT_SIGN')) throw error
    return signedDelivery({ ...making, at })
  }
}
