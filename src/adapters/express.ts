import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HasDoor } from '../delivery/door.ts'
import { createNodeAnswer, type NodeHandlerOptions } from './answer-node-request.ts'
import { proxyOfExpress } from './express-proxy.ts'

export type { NodeHandlerOptions } from './answer-node-request.ts'

/** What `app.use` and `app.post` of Express take. */
export type ExpressHandler = (request: IncomingMessage, response: ServerResponse) => void

/**
 * The handler for Express 4 and 5: `app.post('/webhooks/stripe', expressHandler(inbox, 'stripe'))`, before `express.json()`.
 * Without the option `trustProxy`, the application's own `trust proxy` decides whom to believe about the URL.
 */
export function expressHandler(inbox: HasDoor, sourceOrOptions: string | NodeHandlerOptions = {}): ExpressHandler {
  const answer = createNodeAnswer(inbox, sourceOrOptions, advice)
  return (request, response) => {
    void answer(request, response, proxyOfExpress(request))
  }
}

const advice =
  'Mount expressHandler before app.use(express.json()) and other body parsers, ' +
  "or give its path express.raw({ type: '*/*' }), or let the parser keep the bytes: " +
  'express.json({ verify: (request, response, bytes) => { request.rawBody = bytes } }).'
