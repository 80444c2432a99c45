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
      // Half a request never reaches a function.
      abandon: () => {},
    }),
  }
}

async function answerOf(send: Send, delivery: Delivery, signal: AbortSignal): Promise<Reply> {
  try {
    const answer = await send(delivery, signal)
    const { headers, body } = await contentOf(answer)
    const seconds = Number(headers['retry-after'] ?? Number.NaN)
    const retryAfterSeconds = seconds >= 0 ? seconds : undefined
    return { kind: 'answered', status: answer.status, retryAfterSeconds, headers, body }
  } catch (error) {
    return { kind: 'no_answer', reason: error instanceof Error ? error.message : 'the handler threw' }
  }
}

type Content = { readonly headers: Readonly<Record<string, string>>; readonly body: string }

/** Of a `Response`, or of an answer that is plain data. */
async function contentOf(answer: { readonly status: number }): Promise<Content> {
  if (answer instanceof Response) return { headers: Object.fromEntries(answer.headers), body: await answer.text() }
  const { headers = {}, body = '' } = answer as Partial<Content>
  return {
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    body,
  }
}

function timedOut(seconds: number, signal: AbortSignal): Promise<Reply> {
  return new Promise((resolve) => {
    const timer = setTimeout(
      () => resolve({ kind: 'no_answer', reason: `no answer in ${seconds} s`, isTimeout: true }),
      seconds * 1000,
    )
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
  })
}

function hungUp(milliseconds: number): Promise<Reply> {
  return new Promise((resolve) => {
    setTimeout(() => resolve({ kind: 'hung_up' }), milliseconds)
  })
}
