import type { IncomingMessage, ServerResponse } from 'node:http'
import type { CaptureDoor, HasCaptureDoor, IncomingCapture } from '../capture/door.ts'
import type { ReportError } from '../delivery/admit.ts'
import { type BodyRoom, createBodyRoom, expectedBytes } from '../delivery/body-room.ts'
import { type BodyRead, readNodeBody } from '../delivery/read-body.ts'
import type { NodeHandler } from './node-http.ts'
import { endAfterLingering } from './send-answer.ts'

type CaptureAnswer = Awaited<ReturnType<CaptureDoor['receive']>>

export type CaptureHandlerOptions = {
  readonly readSeconds: number
  /** Believe `x-forwarded-for`. */
  readonly trustProxy: boolean
  readonly onError: ReportError
}

/** Nobody waits longer for an answer that never comes. */
const longestHangMilliseconds = 600_000

/** The path of requests that are captured: `/capture/<name>`, and anything behind it. */
export function isCapturePath(path: string): boolean {
  return path.startsWith('/capture/')
}

/** Takes any request whole, at `/capture/<name>`. */
export function captureHandler(captures: HasCaptureDoor, options: CaptureHandlerOptions): NodeHandler {
  const room = createBodyRoom()
  return (request, response) => {
    // As it is now: with a new configuration there is a new one.
    const { door } = captures
    // Without a listener, a sender that goes away while it is answered would end the process.
    response.on('error', () => {})
    takeInTurn(door, room, request, options)
      .then((answer) => give(door, { request, response, answer }))
      .catch(options.onError)
  }
}

/** Large bodies share their memory, as they do at the door of an inbox. One that waited in vain is written down as too slow. */
async function takeInTurn(
  door: CaptureDoor,
  room: BodyRoom,
  request: IncomingMessage,
  { readSeconds, trustProxy }: CaptureHandlerOptions,
): Promise<CaptureAnswer> {
  const startedAt = performance.now()
  // Taken at once: a connection that breaks no longer says whose it was.
  const address = (trustProxy ? forwardedFor(request) : undefined) ?? request.socket.remoteAddress ?? ''
  const announcedLength = request.headers['content-length']
  const bytes = expectedBytes({ method: request.method ?? 'GET', announcedLength })
  const leave = await room.enter(Math.min(bytes, door.maximumBodyBytes), readSeconds)
  try {
    const limits = { limitBytes: door.maximumBodyBytes, readSeconds, announcedLength }
    const read = leave === undefined ? tooSlow : await readNodeBody(request, limits)
    return await door.receive(incomingOf(request, read, { startedAt, address, limitBytes: limits.limitBytes }))
  } finally {
    leave?.()
  }
}

const tooSlow: BodyRead = { kind: 'too_slow' }

function incomingOf(
  { rawHeaders, method = 'GET', url = '', headers }: IncomingMessage,
  read: BodyRead,
  {
    startedAt,
    address,
    limitBytes,
  }: { readonly startedAt: number; readonly address: string; readonly limitBytes: number },
): IncomingCapture {
  const content = read.kind === 'complete' ? read.body : new Uint8Array()
  return {
    ...placeOf(url),
    method,
    headers: pairsOf(rawHeaders),
    content,
    bytes:
      read.kind === 'complete'
        ? content.byteLength
        : Number(headers['content-length'] ?? (read.kind === 'too_large' ? limitBytes : 0)),
    remoteAddress: address,
    tookMilliseconds: performance.now() - startedAt,
    problem: problemOf(read),
  }
}

function placeOf(url: string): Pick<IncomingCapture, 'endpoint' | 'path' | 'query'> {
  const [, endpoint = '', path = '', query = ''] = /^\/capture\/([^/?]*)([^?]*)\??(.*)$/s.exec(url) ?? []
  return { endpoint, path, query }
}

function pairsOf(rawHeaders: readonly string[]): IncomingCapture['headers'] {
  return Array.from({ length: rawHeaders.length / 2 }, (_, index) => [
    rawHeaders[index * 2] ?? '',
    rawHeaders[index * 2 + 1] ?? '',
  ])
}

function forwardedFor({ headers }: IncomingMessage): string | undefined {
  const [first] = [headers['x-forwarded-for'] ?? []].flat()
  return first?.split(',')[0]?.trim()
}

function problemOf(read: BodyRead): IncomingCapture['problem'] {
  switch (read.kind) {
    case 'complete':
      return undefined
    case 'too_large':
    case 'too_slow':
      return read.kind
    case 'malformed':
      return 'cut_short'
  }
}

type Giving = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly answer: CaptureAnswer
}

async function give({ closing }: CaptureDoor, giving: Giving): Promise<void> {
  const { request, response, answer } = giving
  if (answer.delaySeconds > 0) await pause(answer.delaySeconds * 1000, response, closing)
  if (response.destroyed) return
  switch (answer.kind) {
    case 'sent':
      return send(giving)
    case 'hang':
      await pause(longestHangMilliseconds, response, closing)
      request.socket.destroy()
      return
    case 'drop':
    case 'none':
      request.socket.destroy()
  }
}

function send({ request, response, answer }: Giving): void {
  const { status = 200, headers, body } = answer
  const isWhole = request.complete || request.readableEnded
  response.writeHead(status, [
    ...headers.flat(),
    ...(status === 204 || status === 304 ? [] : ['content-length', String(body.byteLength)]),
    ...(isWhole ? [] : ['connection', 'close']),
  ])
  if (isWhole) return void response.end(body)
  response.write(body)
  endAfterLingering(request, response)
}

/** Until the time is up, the sender has gone, or the server closes. */
function pause(milliseconds: number, response: ServerResponse, closing: AbortSignal): Promise<void> {
  if (response.destroyed || closing.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      response.off('close', end)
      closing.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    response.once('close', end)
    closing.addEventListener('abort', end, { once: true })
  })
}
