import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HasDoor } from '../delivery/door.ts'
import { createNodeAnswer, type NodeHandlerOptions } from './answer-node-request.ts'
import { proxyOfExpress } from './express-proxy.ts'

export type { NodeHandlerOptions } from './answer-node-request.ts'

/** What `app.use` of NestJS takes. */
export type NestHandler = (request: IncomingMessage, response: ServerResponse) => void

/**
 * The handler for NestJS on Express or Fastify: `app.use('/webhooks', nestHandler(inbox))` between `NestFactory.create` and `app.listen`,
 * where no body parser has been yet.
 */
export function nestHandler(inbox: HasDoor, sourceOrOptions: string | NodeHandlerOptions = {}): NestHandler {
  const answer = createNodeAnswer(inbox, sourceOrOptions, advice)
  return (request, response) => {
    void answer(request, response, proxyOfExpress(request))
  }
}

const advice =
  "Call app.use('/webhooks', nestHandler(inbox)) before app.init(), app.listen() and any body parser of your own. " +
  'Where it has to come later, as middleware of a module, create the application with { rawBody: true }.'
