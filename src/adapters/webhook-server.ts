import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { HasCaptureDoor } from '../capture/door.ts'
import { type ReportError, reporter } from '../delivery/admit.ts'
import { answerOf, errorAnswer, healthAnswer } from '../delivery/answer.ts'
import type { HasDoor } from '../delivery/door.ts'
import { defaultReadSeconds } from '../delivery/read-body.ts'
import { captureHandler, isCapturePath } from './capture-handler.ts'
import { type NodeHandler, type NodeHandlerOptions, nodeHandler } from './node-http.ts'
import { createPlainAnswer } from './plain/answer-plain-request.ts'
import { createPlainLane } from './plain/plain-lane.ts'
import { longestHeadBytes } from './plain/plain-request.ts'
import { sendAnswer } from './send-answer.ts'

/** What the server can be told. */
export type WebhookServerOptions = Omit<NodeHandlerOptions, 'source'> & {
  /** Whether `/readyz` says that traffic may come. Default: while the server is not closing. */
  readonly isReady?: (() => Promise<boolean>) | undefined
  /** What else is served here; the first that takes a path gets the request. Our own paths cannot be taken. */
  readonly mounts?: readonly Mount[] | undefined
  /** Endpoints at `/capture/<name>` that take any request whole. Default: none. */
  readonly captures?: HasCaptureDoor | undefined
}

/** A part of the server that somebody else answers for. */
export type Mount = {
  /** Without the query. */
  readonly takes: (path: string) => boolean
  readonly handle: NodeHandler
}

/** A server of its own for an inbox, with limits against slow and oversized senders. */
export type WebhookServer = {
  /** Starts to listen and answers with where. Port 0 takes any free one. */
  readonly listen: (where: { readonly port: number; readonly host?: string | undefined }) => Promise<AddressInfo>
  /** Takes no more requests, finishes those that run, and cuts off what is still open after the grace. */
  readonly close: (graceSeconds?: number) => Promise<void>
}

/** A server of its own for an inbox, hardened against slow and oversized senders: sources at `/in/<source>`, captures, `/healthz` and `/readyz`. */
export function createWebhookServer(inbox: HasDoor, options: WebhookServerOptions = {}): WebhookServer {
  const report = reporter(options.onError ?? inbox.door.onError)
  const receive = nodeHandler(inbox, { ...options, onError: report })
  const { captures, readSeconds = defaultReadSeconds } = options
  const capture =
    captures && captureHandler(captures, { readSeconds, trustProxy: options.trustProxy ?? false, onError: report })
  const running = new Set<ServerResponse>()
  let isClosing = false
  let whenIdle = (): void => {}
  function onClosed(this: ServerResponse): void {
    running.delete(this)
    lookWhetherIdle()
  }
  function lookWhetherIdle(): void {
    if (running.size === 0 && !lane.isBusy()) whenIdle()
  }
  const isReady = async (): Promise<boolean> => !isClosing && ((await options.isReady?.()) ?? true)

  const server = createHardenedServer(readSeconds, (request, response) => {
    running.add(response)
    response.on('close', onClosed)
    if (isClosing) response.setHeader('connection', 'close')
    const path = pathWithoutQuery(request.url)
    if (isSourcePath(path)) receive(request, response)
    else if (capture !== undefined && isCapturePath(path)) capture(request, response)
    else if (path === '/healthz') sendAnswer(request, response, healthAnswer('alive'))
    else if (path === '/readyz') answerReadiness(request, response, isReady, report)
    else {
      const mount = options.mounts?.find(({ takes }) => takes(path))
      if (mount !== undefined) mount.handle(request, response)
      else sendAnswer(request, response, answerOf({ kind: 'unknown_source', source: '' }))
    }
  })

  const lane = createPlainLane({
    takes: ({ target, bodyBytes }) => bodyBytes <= longestPlainBody && isSourcePath(pathWithoutQuery(target)),
    answer: createPlainAnswer(inbox, { ...options, onError: report }),
    keepAliveSeconds,
    silenceSeconds,
    handOver: standInFront(server, (socket) => lane.take(socket)),
    onIdle: lookWhetherIdle,
  })

  return {
    listen: ({ port, host }) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, host, () => {
          server.off('error', reject)
          server.on('error', report)
          resolve(server.address() as AddressInfo)
        })
      }),
    async close(graceSeconds = 30) {
      isClosing = true
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const response of running) if (!response.headersSent) response.setHeader('connection', 'close')
      lane.finish()
      if (running.size > 0 || lane.isBusy()) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, graceSeconds * 1000)
          whenIdle = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      // What is left has no request that could be finished: idle, or stuck in its headers.
      server.closeAllConnections()
      lane.destroy()
      await closed
    },
  }
}

function pathWithoutQuery(url = ''): string {
  const query = url.indexOf('?')
  return query < 0 ? url : url.slice(0, query)
}

/** `/in/<source>`, with or without a slash at the end. */
function isSourcePath(path: string): boolean {
  if (!path.startsWith('/in/') || path.length === 4) return false
  const slash = path.indexOf('/', 4)
  return slash < 0 || (slash > 4 && slash === path.length - 1)
}

/** What is larger is read by `node:http`, which leaves with its sender what there is no room for yet. */
const longestPlainBody = 64 << 10

/** How long a connection may be open before its first request is there. */
const silenceSeconds = 5

/** Longer than load balancers keep an idle connection, so that they never send into one that is being closed. */
const keepAliveSeconds = 65

/** Connections come to `take` first. Answers with what gives one to the server, as if it had just been made. */
function standInFront(server: Server, take: (socket: Socket) => void): (socket: Socket) => void {
  const listeners = server.listeners('connection')
  server.removeAllListeners('connection').on('connection', take)
  return (socket) => {
    for (const listener of listeners) listener.call(server, socket)
  }
}

/** Node looks for late senders only every 30 s by default, so that its time limits of a few seconds would mean little. */
function createHardenedServer(
  readSeconds: number,
  listener: (request: IncomingMessage, response: ServerResponse) => void,
): Server {
  const server = createServer(
    {
      headersTimeout: silenceSeconds * 1000,
      // A large body may wait as long as it may take, and the limit for its sender is not this one.
      requestTimeout: Math.max(10, 2 * readSeconds) * 1000,
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout: keepAliveSeconds * 1000,
      maxHeaderSize: longestHeadBytes,
    },
    listener,
  )
  // The 16 KB bound them; cut off after some number, a request would be captured, and judged, as something that was not sent.
  server.maxHeadersCount = 0
  return server
}

function answerReadiness(
  request: IncomingMessage,
  response: ServerResponse,
  isReady: () => Promise<boolean>,
  report: ReportError,
): void {
  isReady()
    .then((ready) => healthAnswer(ready ? 'ready' : 'not_ready'))
    .catch((error: unknown) => {
      report(error)
      return errorAnswer
    })
    .then((answer) => sendAnswer(request, response, answer))
    .catch(report)
}
