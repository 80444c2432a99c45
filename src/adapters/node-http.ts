import type { IncomingMessage, ServerResponse } from 'node:http'
import { admit, type IncomingRequest, type ReportError, reporter } from '../delivery/admit.ts'
import { errorAnswer } from '../delivery/answer.ts'
import { bodyAlreadyParsed } from '../delivery/body-already-parsed.ts'
import { firstHeader } from '../delivery/delivery.ts'
import type { HasDoor } from '../delivery/door.ts'
import { checkBody, defaultReadSeconds, readNodeBody } from '../delivery/read-body.ts'
import { sourceOfUrl } from '../delivery/source-of-url.ts'
import type { Answer } from '../verify/provider.ts'
import { headersOf, type NodeRequest, pathOf, urlOf } from './node-request.ts'
import { sendAnswer } from './send-answer.ts'

export { type HasShadow, type ShadowMiddleware, type ShadowMiddlewareOptions, shadowMiddleware } from './shadow-node.ts'

export type NodeHandlerOptions = {
  /** Without it the last segment of the path names the source. */
  readonly source?: string | undefined
  /** Believe the `x-forwarded-proto` and `x-forwarded-host` headers. Only behind a proxy that sets them. Default false. */
  readonly trustProxy?: boolean | undefined
  /** How long a sender may take over its body. Default 10. */
  readonly readSeconds?: number | undefined
  /** Told of mistakes and failures that the sender only sees as a 500. Default: the inbox's log. */
  readonly onError?: ReportError | undefined
}

export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => void

/**
 * The handler for node:http, Express and Connect: `app.post('/webhooks/stripe', nodeHandler(inbox, 'stripe'))`.
 * Mount it before anything that parses bodies.
 */
export function nodeHandler(inbox: HasDoor, sourceOrOptions: string | NodeHandlerOptions = {}): NodeHandler {
  const options = typeof sourceOrOptions === 'string' ? { source: sourceOrOptions } : sourceOrOptions
  const report = reporter(options.onError ?? inbox.door.onError)
  const settled = { ...options, onError: report }
  return (request, response) => {
    void answerSafely(inbox, request, response, settled)
  }
}

async function answerSafely(
  inbox: HasDoor,
  request: IncomingMessage,
  response: ServerResponse,
  options: NodeHandlerOptions & { readonly onError: ReportError },
): Promise<void> {
  let answer = errorAnswer
  try {
    answer = await answerRequest(inbox, request, options)
  } catch (error) {
    options.onError(error)
  }
  try {
    sendAnswer(request, response, answer)
  } catch (error) {
    options.onError(error)
  }
}

async function answerRequest(
  { door }: HasDoor,
  request: NodeRequest,
  { source, trustProxy = false, readSeconds = defaultReadSeconds, onError }: NodeHandlerOptions,
): Promise<Answer> {
  const headers = headersOf(request)
  const isRead = request.readableDidRead || request.readableEnded
  const kept = isRead ? keptBody(request) : undefined
  if (isRead && kept === undefined) throw bodyAlreadyParsed(fix)

  const announcedLength = firstHeader(headers, 'content-length')
  const incoming: IncomingRequest = {
    source: source ?? sourceOfUrl(pathOf(request)),
    method: request.method ?? '',
    url: urlOf(request, headers, trustProxy ? 'trusted' : 'untrusted'),
    headers,
    readBody: (limitBytes) =>
      kept === undefined
        ? readNodeBody(request, { limitBytes, readSeconds, announcedLength })
        : Promise.resolve(checkBody(kept, limitBytes)),
    // Middleware that keeps the bytes keeps them as it found them after unpacking.
    bodyState: kept === undefined ? 'as_sent' : 'unpacked',
  }
  return admit(door, incoming, onError)
}

/** The exact bytes, if whatever read the body before us kept them. Text is not exact: it has lost what is not UTF-8. */
function keptBody({ rawBody, body, headers }: NodeRequest): Uint8Array | undefined {
  if (rawBody instanceof Uint8Array) return rawBody
  if (body instanceof Uint8Array) return body
  const isEmpty = Number(headers['content-length'] ?? 0) === 0 && headers['transfer-encoding'] === undefined
  return isEmpty ? new Uint8Array() : undefined
}

const fix =
  "Express: mount this handler before express.json(), or give its path express.raw({ type: '*/*' }). " +
  'Next.js API routes: export const config = { api: { bodyParser: false } }. ' +
  'NestJS: create the application with { rawBody: true }. ' +
  'Elsewhere: let the parser keep the bytes as a Buffer in request.rawBody.'
