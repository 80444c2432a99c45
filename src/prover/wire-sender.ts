import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { Delivery } from '../index.ts'
import type { LoadedRequest, Reply, Sender } from './sender.ts'

/** How long a connection may take before the others go ahead without it. */
const connectPatienceMilliseconds = 1_000

/** Speaks HTTP to a real endpoint, each request over a connection of its own. */
export function wireSender(url: string, timeoutSeconds: number): Sender {
  const makeRequest = url.startsWith('https:') ? requestHttps : requestHttp
  return {
    async load({ method, headers, body }) {
      const request = makeRequest(url, {
        method,
        // One connection for each: a shared one would put the copies in a row.
        agent: false,
        headers: { ...sendable(headers), ...(method !== 'GET' && { 'content-length': String(body.length) }) },
      })
      const reply = replyOf(request, timeoutSeconds)
      if (body.length > 0 && method !== 'GET') request.write(body.subarray(0, body.length - 1))
      await connected(request)
      return loaded(request, reply, method === 'GET' ? new Uint8Array() : body.subarray(-1))
    },
  }
}

type PendingReply = { readonly reply: Promise<Reply>; readonly hangUp: () => void }

function loaded(request: ClientRequest, { reply, hangUp }: PendingReply, rest: Uint8Array): LoadedRequest {
  return {
    release({ hangUpAfterMilliseconds } = {}) {
      request.end(rest, () => {
        if (hangUpAfterMilliseconds !== undefined) setTimeout(hangUp, hangUpAfterMilliseconds)
      })
      return reply
    },
  }
}

function replyOf(request: ClientRequest, timeoutSeconds: number): PendingReply {
  let settle: (reply: Reply) => void = () => {}
  const reply = new Promise<Reply>((resolve) => {
    settle = resolve
  })
  const deadline = setTimeout(() => {
    settle({ kind: 'no_answer', reason: `no answer in ${timeoutSeconds} s` })
    request.destroy()
  }, timeoutSeconds * 1000)
  void reply.then(() => clearTimeout(deadline))
  request.on('error', (error: NodeJS.ErrnoException) =>
    settle({ kind: 'no_answer', reason: error.code ?? error.message }),
  )
  request.on('response', (response) => {
    // Whole, or it is no answer: a process that dies in the middle of it has not acknowledged anything.
    response.on('end', () => settle(answerOf(response)))
    response.on('error', () => settle({ kind: 'no_answer', reason: 'the answer broke off' }))
    response.on('close', () => settle({ kind: 'no_answer', reason: 'the answer broke off' }))
    response.resume()
  })
  const hangUp = (): void => {
    settle({ kind: 'hung_up' })
    request.destroy()
  }
  return { reply, hangUp }
}

function answerOf({ statusCode = 0, headers }: IncomingMessage): Reply {
  const seconds = Number(headers['retry-after'])
  return {
    kind: 'answered',
    status: statusCode,
    retryAfterSeconds: Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined,
  }
}

/** A refused or slow connection is no reason to hold up the others: its reply tells what became of it. */
async function connected(request: ClientRequest): Promise<void> {
  await new Promise<void>((resolve) => {
    const patience = setTimeout(resolve, connectPatienceMilliseconds)
    const go = (): void => {
      clearTimeout(patience)
      resolve()
    }
    request.once('error', go)
    request.once('socket', (socket) => {
      socket.setNoDelay(true)
      if (!socket.connecting) go()
      else socket.once('secureConnect', go).once('connect', go)
    })
  })
}

/** The connection sets these by itself. */
const setByConnection = new Set(['host', 'connection', 'content-length', 'transfer-encoding'])

function sendable(headers: Delivery['headers']): Record<string, string | string[]> {
  return Object.fromEntries(
    [...headers].flatMap(([name, values]) =>
      setByConnection.has(name) ? [] : [[name, values.length === 1 ? (values[0] as string) : [...values]]],
    ),
  )
}
