import type { Delivery } from '../index.ts'
import type { Reply, Sender } from './sender.ts'

/** Hands one delivery to a handler in this process. A `Response` is a fine answer. */
export type Send = (delivery: Delivery, signal: AbortSignal) => Promise<{ readonly status: number }>

/** Speaks to a function instead of an address. Hanging up is the abort of its signal. */
export function inProcessSender(send: Send, timeoutSeconds: number): Sender {
  return {
    load: async (delivery) => ({
      async release({ hangUpAfterMilliseconds } = {}) {
        const hangUp = new AbortController()
        const answered = answerOf(send, delivery, hangUp.signal)
        const endings: Promise<Reply>[] = [answered, timedOut(timeoutSeconds, hangUp.signal)]
        if (hangUpAfterMilliseconds !== undefined) endings.push(hungUp(hangUpAfterMilliseconds))
        const reply = await Promise.race(endings)
        hangUp.abort()
        return reply
      },
    }),
  }
}

async function answerOf(send: Send, delivery: Delivery, signal: AbortSignal): Promise<Reply> {
  try {
    const { status } = await send(delivery, signal)
    return { kind: 'answered', status, retryAfterSeconds: undefined }
  } catch (error) {
    return { kind: 'no_answer', reason: error instanceof Error ? error.message : 'the handler threw' }
  }
}

function timedOut(seconds: number, signal: AbortSignal): Promise<Reply> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve({ kind: 'no_answer', reason: `no answer in ${seconds} s` }), seconds * 1000)
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
  })
}

function hungUp(milliseconds: number): Promise<Reply> {
  return new Promise((resolve) => {
    setTimeout(() => resolve({ kind: 'hung_up' }), milliseconds)
  })
}
