import type { HasDoor } from '../delivery/door.ts'
import type { Inbox } from '../inbox.ts'
import { ownAdvice } from './fetch.ts'
import { createWebHandler, type WebHandlerOptions } from './web-handler.ts'

/** The part of an inbox that is needed here. */
export type WorkerInbox = HasDoor & Pick<Inbox<never>, 'drain' | 'close'>

/** Workers pass it to every call. */
export type WorkerContext = { waitUntil(work: Promise<unknown>): void }

/** What the handler for Cloudflare Workers can be told. */
export type CloudflareOptions = Omit<WebHandlerOptions, 'waitUntil'> & {
  /** When queued events and messages are worked off: also after each answer, or by the schedule alone. Default `after_answers`. */
  readonly work?: 'after_answers' | 'by_schedule' | undefined
  /** How long a run of the schedule begins more, in milliseconds. Default 50,000. */
  readonly scheduleUntilMs?: number | undefined
}

/** What a Worker exports by default. */
export type CloudflareWorker<Environment> = {
  fetch(request: Request, environment: Environment, context: WorkerContext): Promise<Response>
  scheduled(event: unknown, environment: Environment, context: WorkerContext): Promise<void>
}

/**
 * A Worker for Cloudflare with `nodejs_compat`: takes webhooks, and works off what is due when a Cron Trigger calls.
 *
 *     export default cloudflareWorker((env: Env) => openInbox(env.HYPERDRIVE.connectionString, env.STRIPE_WEBHOOK_SECRET))
 *
 * Bindings exist only within a call, and a connection may be used only by the call that opened it: so each call has an inbox of its own,
 * which is closed when all is done. Hyperdrive keeps the connections to the database.
 */
export function cloudflareWorker<Environment>(
  open: (environment: Environment) => WorkerInbox,
  options: CloudflareOptions = {},
): CloudflareWorker<Environment> {
  const { work = 'after_answers', scheduleUntilMs = 50_000, ...web } = options
  return {
    async fetch(request, environment, context) {
      const inbox = open(environment)
      const afterwards: Promise<unknown>[] = []
      const waitUntil = work === 'after_answers' ? (promise: Promise<unknown>) => afterwards.push(promise) : undefined
      const handle = createWebHandler(inbox, { ...web, waitUntil }, { advice: ownAdvice })
      const response = handle(request)
      // Told at once: a sender that goes away would otherwise take the rest of the call with it.
      context.waitUntil(ended(response, afterwards, inbox))
      return response
    },
    async scheduled(_event, environment) {
      const inbox = open(environment)
      try {
        await inbox.drain({ untilMs: scheduleUntilMs })
      } finally {
        await inbox.close()
      }
    },
  }
}

/** All that follows from the answer, and then the end of the inbox, however it went. */
async function ended(
  response: Promise<Response>,
  afterwards: readonly Promise<unknown>[],
  inbox: { readonly close: () => Promise<unknown> },
): Promise<void> {
  try {
    await response
    await Promise.all(afterwards)
  } finally {
    await inbox.close()
  }
}
