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
    async load({ method, url: named, headers, body }) {
      const isBodiless = bodiless.has(method)
      const request = makeRequest(addressOf(url, named), {
        method,
        // One connection for each: a shared one would put the copies in a row.
        agent: false,
        headers: { ...sendable(headers), ...(!isBodiless && { 'content-length': String(body.length) }) },
      })
      const reply = replyOf(request, timeoutSeconds)
      if (body.length > 0 && !isBodiless) request.write(body.subarray(0, body.length - 1))
      await connected(request)
      return loaded(request, reply, isBodiless ? new Uint8Array() : body.subarray(-1))
    },
  }
}

const bodiless = new Set(['GET', 'HEAD', 'OPTIONS'])

/** The address that was given, and never another; with the query of the delivery, where signing or a question put something there. */
function addressOf(url: string, named: string): URL {
  const [address, asked] = [new URL(url), new URL(named)]
  if (asked.origin === address.origin && asked.pathname === address.pathname) address.search = asked.search
  return address
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
    abandon: () => hangUp(),
  }
}

function replyOf(request: ClientRequest, timeoutSeconds: number): PendingReply {
  let settle: (reply: Reply) => void = () => {}
  const reply = new Promise<Reply>((resolve) => {
    settle = resolve
  })
  const deadline = setTimeout(() => {
    settle({ kind: 'no_answer', reason: `no answer in ${timeoutSeconds} s`, isTimeout: true })
    request.destroy()
  }, timeoutSeconds * 1000)
  void reply.then(() => clearTimeout(deadline))
  request.on('error', (error: NodeJS.ErrnoException) =>
    settle({ kind: 'no_answer', reason: error.code ?? error.message }),
  )
  request.on('response', (response) => {
    // Whole, or it is no answer: a process that dies in the middle of it has not acknowledged anything.
    const beginning = readBeginning(response)
    response.on('end', () => settle(answerOf(response, beginning())))
    response.on('error', () => settle({ kind: 'no_answer', reason: 'the answer broke off' }))
    response.on('close', () => settle({ kind: 'no_answer', reason: 'the answer broke off' }))
  })
  const hangUp = (): void => {
    settle({ kind: 'hung_up' })
    request.destroy()
  }
  return { reply, hangUp }
}

/** More of an answer is read, but not kept. */
const keptBytes = 64 * 1024

function readBeginning(response: IncomingMessage): () => string {
  const chunks: Buffer[] = []
  let bytes = 0
  response.on('data', (chunk: Buffer) => {
    if (bytes < keptBytes) chunks.push(chunk)
    bytes += chunk.length
  })
  return () => Buffer.concat(chunks).subarray(0, keptBytes).toString('utf8')
}

function answerOf({ statusCode = 0, headers }: IncomingMessage, body: string): Reply {
  const seconds = Number(headers['retry-after'])
  return {
    kind: 'answered',
    status: statusCode,
    retryAfterSeconds: Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    body,
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
