import type { HasDoor } from '../delivery/door.ts'
import { createWebHandler, type WebHandlerOptions } from './web-handler.ts'

export type { WebHandlerOptions } from './web-handler.ts'

/** The part of SvelteKit's request event that is needed here. */
export type SvelteKitEvent = { readonly request: Request }

/** What a `+server.ts` exports for a method. */
export type SvelteKitHandler = (event: SvelteKitEvent) => Promise<Response>

/** The handler for a `+server.ts` of SvelteKit: `export const fallback = svelteKitHandler(inbox, 'stripe')`. */
export function svelteKitHandler(inbox: HasDoor, sourceOrOptions: string | WebHandlerOptions = {}): SvelteKitHandler {
  const handle = createWebHandler(inbox, sourceOrOptions, { advice })
  return ({ request }) => handle(request)
}

const advice =
  'Let the handle hook in hooks.server.ts leave this path alone, or read event.request.clone() instead of event.request.'
