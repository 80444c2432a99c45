import { describeError, isPermanent } from '../errors.ts'
import type { MessageResult, OutgoingMessage } from './target.ts'

/** The one result of everything that went well. */
export const published: MessageResult = { kind: 'published' }

/** What was thrown, as a result: to be tried again unless it went through `permanent`. */
export function failure(error: unknown): MessageResult {
  return { kind: 'failed', error: describeError(error), retry: isPermanent(error) ? 'permanent' : 'later' }
}

const gaveUp = 'It did not end in time, so it was given up; it may still arrive.'

/** Sends each message on its own, all at once and in their order, so that one failure is no other's. */
export async function sendEach(
  messages: readonly OutgoingMessage[],
  signal: AbortSignal,
  send: (message: OutgoingMessage) => unknown,
): Promise<readonly MessageResult[]> {
  const results = messages.map(() => failure(new Error(gaveUp)))
  const sendAll = async (): Promise<void> => {
    const sending = messages.map(async (message, index) => {
      results[index] = await resultOf(send, message)
    })
    await Promise.all(sending)
  }
  await untilAborted(sendAll, signal).catch(() => {})
  // A copy, as what was given up may still come to an end.
  return [...results]
}

/** Sends one message after the other, for clients that mix up what is sent at once. */
export async function sendInTurn(
  messages: readonly OutgoingMessage[],
  signal: AbortSignal,
  send: (message: OutgoingMessage) => unknown,
): Promise<readonly MessageResult[]> {
  const results: MessageResult[] = []
  for (const message of messages) results.push(...(await sendEach([message], signal, send)))
  return results
}

async function resultOf(send: (message: OutgoingMessage) => unknown, message: OutgoingMessage): Promise<MessageResult> {
  try {
    await send(message)
    return published
  } catch (error) {
    return failure(error)
  }
}

/**
 * The work's own end, or a failure as soon as the signal is aborted: many clients wait for their server without end.
 * Such work may still succeed later, and then the message has arrived although it will be sent again.
 */
export async function untilAborted<Value>(work: () => Promise<Value>, signal: AbortSignal): Promise<Value> {
  if (signal.aborted) throw new Error(gaveUp)
  let stopWaiting = (): void => {}
  const aborted = new Promise<never>((_, reject) => {
    stopWaiting = () => reject(new Error(gaveUp))
    signal.addEventListener('abort', stopWaiting, { once: true })
  })
  try {
    return await Promise.race([work(), aborted])
  } finally {
    signal.removeEventListener('abort', stopWaiting)
  }
}
