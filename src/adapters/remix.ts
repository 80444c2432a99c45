import type { HasDoor } from '../delivery/door.ts'
import { createWebHandler, type WebHandlerOptions } from './web-handler.ts'

export type { WebHandlerOptions } from './web-handler.ts'

/** The part of what actions and loaders are given that is needed here. */
export type RemixArguments = { readonly request: Request }

/** What a resource route exports as its `action` or `loader`. */
export type RemixHandler = (given: RemixArguments) => Promise<Response>

/**
 * The handler for a resource route of React Router or Remix: `export const action = remixHandler(inbox, 'stripe')`, and the same as `loader`
 * where the provider also calls with GET or HEAD.
 */
export function remixHandler(inbox: HasDoor, sourceOrOptions: string | WebHandlerOptions = {}): RemixHandler {
  const handle = createWebHandler(inbox, sourceOrOptions, { advice })
  return ({ request }) => handle(request)
}

const advice =
  'Let middleware and the server in front (express.json(), for example) leave the body of this route alone, ' +
  'or read request.clone() instead of request.'
