import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HasDoor } from '../delivery/door.ts'
import { createNodeAnswer, type NodeHandlerOptions } from './answer-node-request.ts'
import type { FetchHandler } from './fetch.ts'
import { createWebHandler, urlByHostHeader, type WebHandlerOptions } from './web-handler.ts'

export type { NodeHandlerOptions } from './answer-node-request.ts'
export type { FetchHandler } from './fetch.ts'
export type { WebHandlerOptions } from './web-handler.ts'

/** What an API route of Next.js exports. */
export type NextApiHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** The handler for a route of the app router: `export const POST = nextHandler(inbox, 'stripe')`. */
export function nextHandler(inbox: HasDoor, sourceOrOptions: string | WebHandlerOptions = {}): FetchHandler {
  // Next.js puts the name it was started with in the place of the host.
  return createWebHandler(inbox, sourceOrOptions, { advice: adviceForRoutes, urlOf: urlByHostHeader })
}

/**
 * The handler for an API route of the pages router: `export default nextApiHandler(inbox, 'stripe')`, with
 * `export const config = { api: { bodyParser: false } }` beside it.
 */
export function nextApiHandler(inbox: HasDoor, sourceOrOptions: string | NodeHandlerOptions = {}): NextApiHandler {
  const answer = createNodeAnswer(inbox, sourceOrOptions, adviceForApiRoutes)
  return (request, response) => answer(request, response)
}

const adviceForRoutes =
  'Hand the request to nextHandler before anything calls request.json(), request.text() or request.formData(); ' +
  'where something else needs the body too, let it read request.clone().'

const adviceForApiRoutes =
  'Put this beside the handler, in the file of the API route: export const config = { api: { bodyParser: false } }.'
