import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HasDoor } from '../delivery/door.ts'
import { createNodeAnswer, type NodeHandlerOptions } from './answer-node-request.ts'

export type { NodeHandlerOptions } from './answer-node-request.ts'
export { type HasShadow, type ShadowMiddleware, type ShadowMiddlewareOptions, shadowMiddleware } from './shadow-node.ts'

/** What `createServer` of `node:http` takes. */
export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => void

/**
 * The handler for node:http and Connect: `createServer(nodeHandler(inbox))`. Frameworks on top of them have one of their own.
 * Mount it before anything that parses bodies.
 */
export function nodeHandler(inbox: HasDoor, sourceOrOptions: string | NodeHandlerOptions = {}): NodeHandler {
  const answer = createNodeAnswer(inbox, sourceOrOptions, advice)
  return (request, response) => {
    void answer(request, response)
  }
}

const advice =
  "Express: mount this handler before express.json(), or give its path express.raw({ type: '*/*' }). " +
  'Next.js API routes: export const config = { api: { bodyParser: false } }. ' +
  'NestJS: create the application with { rawBody: true }. ' +
  'Elsewhere: let the parser keep the bytes as a Buffer in request.rawBody.'
