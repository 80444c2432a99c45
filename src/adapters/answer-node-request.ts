import type { IncomingMessage, ServerResponse } from 'node:http'
import { admit, type IncomingRequest, type ReportError, reporter } from '../delivery/admit.ts'
import { errorAnswer } from '../delivery/answer.ts'
import { bodyAlreadyParsed } from '../delivery/body-already-parsed.ts'
import { firstHeader } from '../delivery/delivery.ts'
import type { Door, HasDoor } from '../delivery/door.ts'
import { checkBody, defaultReadSeconds, readNodeBody } from '../delivery/read-body.ts'
import { sourceOfUrl } from '../delivery/source-of-url.ts'
import { headersOf, type NodeRequest, pathOf, urlOf } from './node-request.ts'
import { sendAnswer } from './send-answer.ts'
import { type AfterwardsOptions, workAfterwards } from './work-afterwards.ts'

/** What handlers for `node:http`, and for frameworks on top of it, can be told. */
export type NodeHandlerOptions = AfterwardsOptions & {
  /** Without it the last segment of the path names the source. */
  readonly source?: string | undefined
  /** Believe the `x-forwarded-proto` and `x-forwarded-host` headers. Only behind a proxy that sets them. Default false. */
  readonly trustProxy?: boolean | undefined
  /** How long a sender may take over its body. Default 10. */
  readonly readSeconds?: number | undefined
  /** Told of mistakes and failures that the sender only sees as a 500. Default: the inbox's log. */
  readonly onError?: ReportError | undefined
}

/** Answers a request of node:http. Resolves when the answer is on its way, and never rejects. */
export type AnswerNodeRequest = (
  request: IncomingMessage,
  response: ServerResponse,
  /** What the framework knows of a proxy, where the options say nothing of one. */
  proxy?: 'trusted' | 'untrusted',
) => Promise<void>

/** What every framework on node:http has in common. `advice` says there how to keep others from reading the body. */
export function createNodeAnswer(
  inbox: HasDoor,
  sourceOrOptions: string | NodeHandlerOptions,
  advice: string,
): AnswerNodeRequest {
  const options = typeof sourceOrOptions === 'string' ? { source: sourceOrOptions } : sourceOrOptions
  const door = workAfterwards(inbox.door, options)
  const report = reporter(options.onError ?? door.onError)
  const direct: Settled = { ...options, trustProxy: options.trustProxy ?? false, onError: report, advice }
  const proxied: Settled = { ...direct, trustProxy: options.trustProxy ?? true }
  return (request, response, proxy) => answerSafely(door, request, response, proxy === 'trusted' ? proxied : direct)
}

type Settled = Omit<NodeHandlerOptions, 'trustProxy' | 'onError'> & {
  readonly trustProxy: boolean
  readonly onError: ReportError
  readonly advice: string
}

async function answerSafely(
  door: Door,
  request: IncomingMessage,
  response: ServerResponse,
  options: Settled,
): Promise<void> {
  let answer = errorAnswer
  try {
    answer = await admit(door, incomingOf(request, options), options.onError)
  } catch (error) {
    options.onError(error)
  }
  try {
    sendAnswer(request, response, answer)
  } catch (error) {
    options.onError(error)
  }
}

function incomingOf(
  request: NodeRequest,
  { source, trustProxy, readSeconds = defaultReadSeconds, advice }: Settled,
): IncomingRequest {
  const headers = headersOf(request)
  const isRead = request.readableDidRead || request.readableEnded
  const kept = isRead ? keptBody(request) : undefined
  if (isRead && kept === undefined) throw bodyAlreadyParsed(advice)

  const announcedLength = firstHeader(headers, 'content-length')
  return {
    source: source ?? sourceOfUrl(pathOf(request)),
    method: request.method ?? '',
    url: urlOf(request, headers, trustProxy ? 'trusted' : 'untrusted'),
    headers,
    readBody: (limitBytes) =>
      kept === undefined
        ? readNodeBody(request, { limitBytes, readSeconds, announcedLength })
        : checkBody(kept, limitBytes),
    readSeconds,
    // Middleware that keeps the bytes keeps them as it found them after unpacking.
    bodyState: kept === undefined ? 'as_sent' : 'unpacked',
  }
}

/** The exact bytes, if whatever read the body before us kept them. Text is not exact: it has lost what is not UTF-8. */
function keptBody({ rawBody, body, headers }: NodeRequest): Uint8Array | undefined {
  if (rawBody instanceof Uint8Array) return rawBody
  if (body instanceof Uint8Array) return body
  const isEmpty = Number(headers['content-length'] ?? 0) === 0 && headers['transfer-encoding'] === undefined
  return isEmpty ? new Uint8Array() : undefined
}
