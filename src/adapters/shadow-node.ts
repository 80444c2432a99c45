import type { IncomingMessage, ServerResponse } from 'node:http'
import { decompress, encodingOf } from '../delivery/decompress.ts'
import type { DeliveryInput } from '../delivery/delivery.ts'
import type { Door, DoorSettings } from '../delivery/door.ts'
import type { Shadow } from '../shadow/shadow.ts'
import { copyBody } from './copy-body.ts'
import { headersOf, type NodeRequest, urlOf } from './node-request.ts'
import { checkSource } from './shadow-source.ts'

/** Which source is watched, and how its requests come in. */
export type ShadowMiddlewareOptions = {
  readonly source: string
  /** Believe the `x-forwarded-proto` and `x-forwarded-host` headers. Only behind a proxy that sets them. Default false. */
  readonly trustProxy?: boolean | undefined
}

/** The part of an inbox that is needed here. */
export type HasShadow = { readonly door: Door; readonly shadow: Pick<Shadow, 'begin'> }

/** Middleware of Express and Connect, or a step in front of a handler for `node:http`. */
export type ShadowMiddleware = (request: IncomingMessage, response: ServerResponse, next?: () => void) => void

/**
 * Watches whatever answers the request after it, for node:http, Express and Connect:
 * `app.post('/webhooks/stripe', shadowMiddleware(inbox, 'stripe'), yourHandler)`. Mount it before anything that reads bodies.
 */
export function shadowMiddleware(
  inbox: HasShadow,
  sourceOrOptions: string | ShadowMiddlewareOptions,
): ShadowMiddleware {
  const { source, trustProxy = false } =
    typeof sourceOrOptions === 'string' ? { source: sourceOrOptions } : sourceOrOptions
  checkSource(inbox.door, source)
  return (request, response, next) => {
    safely(() => watch(inbox, request, response, { source, trustProxy }))
    next?.()
  }
}

/** Not to be watched is nothing that the handler should hear of. */
function safely(work: () => void): void {
  try {
    work()
  } catch {
    // What is not seen is not in the report.
  }
}

function watch(
  { door, shadow }: HasShadow,
  request: NodeRequest,
  response: ServerResponse,
  { source, trustProxy }: { readonly source: string; readonly trustProxy: boolean },
): void {
  const settings = door.settingsOf(source)
  if (settings === undefined) return
  const call = shadow.begin(source)
  const headers = headersOf(request)
  const url = urlOf(request, headers, trustProxy ? 'trusted' : 'untrusted')
  const given = { method: request.method ?? '', url, headers }
  const isRead = request.readableDidRead || request.readableEnded
  const copy = isRead ? undefined : copyBody(request, settings.maximumBodyBytes)
  const deliver = (): void =>
    safely(() => {
      if (copy === undefined) return call.delivered(deliveryOf(given, keptBody(request)))
      deliverAsSent(given, copy.whole(), settings, call.delivered)
    })

  copy?.onWhole(deliver)
  response.once('finish', () => {
    call.ended({ ending: 'answered', status: response.statusCode })
    // What nobody has begun to read by now is thrown away by node:http.
    if (copy === undefined || !request.readableDidRead) deliver()
  })
  response.once('close', () => {
    if (response.writableFinished) return
    call.ended({ ending: 'disconnected' })
    deliver()
  })
  request.once('close', deliver)
}

type Given = Pick<DeliveryInput, 'method' | 'url' | 'headers'>

function deliveryOf(given: Given, body: Uint8Array | undefined): DeliveryInput | undefined {
  return body && { ...given, body }
}

/** What a parser has kept is unpacked already; this is not. */
function deliverAsSent(
  given: Given & { readonly headers: ReturnType<typeof headersOf> },
  body: Uint8Array | undefined,
  { decompress: whenPacked, maximumBodyBytes }: DoorSettings,
  delivered: (delivery: DeliveryInput | undefined) => void,
): void {
  const encoding = encodingOf(given.headers, whenPacked)
  if (body === undefined || encoding.kind === 'plain') return delivered(deliveryOf(given, body))
  if (encoding.kind === 'unsupported_encoding') return delivered(undefined)
  decompress(body, encoding.unpack, maximumBodyBytes).then(
    (read) => delivered(read.kind === 'complete' ? deliveryOf(given, read.body) : undefined),
    () => delivered(undefined),
  )
}

/** The exact bytes, if whatever read the body before us kept them. */
function keptBody({ rawBody, body }: NodeRequest): Uint8Array | undefined {
  if (rawBody instanceof Uint8Array) return rawBody
  return body instanceof Uint8Array ? body : undefined
}
