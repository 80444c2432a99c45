import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HasDoor } from '../delivery/door.ts'
import { createNodeAnswer, type NodeHandlerOptions } from './answer-node-request.ts'

export type { NodeHandlerOptions } from './answer-node-request.ts'

/** The part of Koa's context that is needed here. */
export type KoaContext = {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  /** False: Koa leaves the answer to whoever said so. */
  respond?: boolean | undefined
  readonly app: { readonly proxy: boolean }
}

/** What `app.use` and the routers of Koa take. */
export type KoaHandler = (context: KoaContext) => Promise<void>

/**
 * The handler for Koa: `router.post('/webhooks/stripe', koaHandler(inbox, 'stripe'))`, before any body parser.
 * Without the option `trustProxy`, the application's own `proxy` decides whether to believe the forwarded URL.
 */
export function koaHandler(inbox: HasDoor, sourceOrOptions: string | NodeHandlerOptions = {}): KoaHandler {
  const answer = createNodeAnswer(inbox, sourceOrOptions, advice)
  return async (context) => {
    context.respond = false
    await answer(context.req, context.res, context.app.proxy ? 'trusted' : 'untrusted')
  }
}

const advice =
  'Use koaHandler before koa-bodyparser, @koa/bodyparser or koa-body, or keep them from its path. ' +
  'What they keep in context.request.rawBody is text, which is not always what was sent.'
