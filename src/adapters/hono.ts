import type { HasDoor } from '../delivery/door.ts'
import { createWebHandler, type WebHandlerOptions } from './web-handler.ts'

export type { WebHandlerOptions } from './web-handler.ts'

/** The part of Hono's context that is needed here. */
export type HonoContext = { readonly req: { readonly raw: Request } }

/** What `app.all` of Hono takes. */
export type HonoHandler = (context: HonoContext) => Promise<Response>

/** The handler for Hono: `app.all('/webhooks/stripe', honoHandler(inbox, 'stripe'))`. */
export function honoHandler(inbox: HasDoor, sourceOrOptions: string | WebHandlerOptions = {}): HonoHandler {
  const handle = createWebHandler(inbox, sourceOrOptions, { advice })
  return ({ req }) => handle(req.raw)
}

const advice =
  'Keep middleware that calls context.req.json(), text(), parseBody() or validator() from the path of honoHandler; ' +
  'where it needs the body too, let it read context.req.raw.clone().'
