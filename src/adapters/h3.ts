import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HasDoor } from '../delivery/door.ts'
import { createNodeAnswer } from './answer-node-request.ts'
import { createWebHandler, type WebHandlerOptions } from './web-handler.ts'

export type { WebHandlerOptions } from './web-handler.ts'

/** The part of an event of h3 that is needed here: version 2 has a `Request`, version 1 what node:http gives. */
export type H3Event =
  | { readonly req: Request }
  | {
      readonly node: { readonly req: IncomingMessage; readonly res: ServerResponse }
      /** On platforms without node:http. */
      readonly web?: { readonly request?: Request } | undefined
    }

/** What `defineEventHandler` of h3 takes. */
export type H3Handler = (event: H3Event) => Promise<Response | undefined>

/**
 * The handler for h3 1 and 2, and so for Nitro and Nuxt: `export default defineEventHandler(h3Handler(inbox, 'stripe'))` in
 * `server/routes/webhooks/stripe.ts`.
 */
export function h3Handler(inbox: HasDoor, sourceOrOptions: string | WebHandlerOptions = {}): H3Handler {
  const handleWeb = createWebHandler(inbox, sourceOrOptions, { advice })
  const answerNode = createNodeAnswer(inbox, sourceOrOptions, advice)
  return async (event) => {
    const request = webRequestOf(event)
    if (request !== undefined) return handleWeb(request)
    const { node } = event as Extract<H3Event, { readonly node: unknown }>
    await answerNode(node.req, node.res)
    return undefined
  }
}

function webRequestOf(event: H3Event): Request | undefined {
  // Version 1 has a `req` too, but that is of node:http.
  if ('req' in event && typeof event.req.headers.get === 'function') return event.req
  if (!('node' in event)) throw new TypeError('h3Handler was called with something that is no event of h3.')
  return event.web?.request ?? wholeRequestOf(event.node.req)
}

/** On platforms that hand over whole bodies, Nitro 2 keeps them beside a request that has nothing to read. */
function wholeRequestOf(request: IncomingMessage & { readonly body?: unknown }): Request | undefined {
  const { body, headers, method = 'GET', url = '/' } = request
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) return undefined
  const pairs = Object.entries(headers).flatMap(([name, value]) => [value ?? []].flat().map((one) => [name, one]))
  return new Request(new URL(url, `https://${headers.host ?? 'localhost'}`), {
    method,
    headers: pairs as [string, string][],
    ...(method !== 'GET' && method !== 'HEAD' && { body }),
  })
}

const advice =
  'Keep middleware that calls readBody(event) or readRawBody(event), or event.req.json() in h3 2, from the path of h3Handler.'
