import type { HasDoor } from '../delivery/door.ts'
import { type FetchHandler, ownAdvice } from './fetch.ts'
import { createWebHandler, type WebHandlerOptions } from './web-handler.ts'

export { type DrainHandlerOptions, drainHandler, type HasDrain } from './drain-handler.ts'
export type { FetchHandler } from './fetch.ts'
export type { WebHandlerOptions } from './web-handler.ts'
export type { WaitUntil } from './work-afterwards.ts'

/** `inbox.handler()` with options: for platforms whose functions take a `Request` and give a `Response`. */
export function webHandler(inbox: HasDoor, sourceOrOptions: string | WebHandlerOptions = {}): FetchHandler {
  return createWebHandler(inbox, sourceOrOptions, { advice: ownAdvice })
}
