import { describeError, isOncehookError } from '../errors.ts'
import type { ClaimedMessage, MessageFailure, OutboxStore } from '../store/outbox-store.ts'
import { keyNotGiven } from './encryption-errors.ts'
import type { KeyRing } from './key-ring.ts'
import { keyIdOfText, messageContext, openText } from './sealed-text.ts'

export type OpenedOutboxParts = {
  /** Undefined without the option `encryption`: then nothing that is encrypted is sent. */
  readonly keys: KeyRing | undefined
  readonly maxAttempts: number
  /** Told of messages that could not be opened. */
  readonly onProblem: (error: unknown) => void
}

/** How long a message waits for its key. */
const waitSeconds = 60

/** The outbox as the relay sees it: what it claims can be read. A message that cannot is put back with the reason, and never sent as it is. */
export function openedOutbox(outbox: OutboxStore, { keys, maxAttempts, onProblem }: OpenedOutboxParts): OutboxStore {
  return {
    ...outbox,
    async claim(request) {
      const claimed = await outbox.claim(request)
      if (claimed.every(({ message }) => keyIdOfText(message.json) === undefined)) return claimed
      const opened: ClaimedMessage[] = []
      const later: MessageFailure[] = []
      const dead: MessageFailure[] = []
      for (const one of claimed) {
        try {
          opened.push(await openMessage(one, request.environment))
        } catch (error) {
          onProblem(error)
          const failure = { lease: one.lease, error: describeError(error), seconds: waitSeconds }
          // A key may come back; a message that was changed will not.
          const isHopeless = isOncehookError(error, 'ONCEHOOK_CANNOT_DECRYPT') && one.message.attempt >= maxAttempts
          if (isHopeless) dead.push(failure)
          else later.push(failure)
        }
      }
      await outbox.retryLater(later)
      await outbox.deadLetter(dead)
      return opened
    },
  }

  async function openMessage(claimed: ClaimedMessage, environment: string): Promise<ClaimedMessage> {
    const { message } = claimed
    const keyId = keyIdOfText(message.json)
    if (keyId === undefined) return claimed
    if (keys === undefined) throw keyNotGiven(keyId)
    const { target, idempotencyKey: key } = message
    const name = `Message ${message.id} to "${target}"`
    const context = messageContext({ environment, target, key })
    const json = openText(await keys.find(keyId), message.json, { name, context })
    return { ...claimed, message: { ...message, json, message: JSON.parse(json) as unknown } }
  }
}
