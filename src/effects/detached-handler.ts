import type { Handler, HandlerContext, WebhookEvent } from './handler.ts'

/**
 * A handler without a transaction: it holds no connection while it runs, however long the other side takes, and what it did is recorded
 * afterwards. It may run again after a crash, so the other side has to know its idempotency key. Queued mode only.
 */
export type Detached = {
  readonly destination: Destination
  /** Never rejects. */
  readonly run: (event: WebhookEvent, context: DetachedContext) => Promise<DetachedResult>
}

export type DetachedContext = Pick<HandlerContext<never>, 'signal' | 'attempt' | 'idempotencyKey' | 'log'> & {
  /** The handler's name, by which its completion is remembered. */
  readonly handler: string
}

export type DetachedResult =
  | {
      readonly kind: 'done'
      /** What the other side answered, where it speaks HTTP. */
      readonly status?: number | undefined
    }
  | {
      readonly kind: 'failed'
      readonly error: Error
      readonly status?: number | undefined
      /** Not before that. */
      readonly afterSeconds?: number | undefined
    }
  /** "Not yet", which counts as no failure. */
  | { readonly kind: 'deferred'; readonly seconds: number; readonly reason: string }

/** Who detached handlers talk to. Events for one that is slow or away wait apart from all others. */
export type Destination = {
  /** For people: the endpoint, without what may be secret of its address. */
  readonly address: string
  /** How many calls may be under way at once. */
  readonly concurrency: number
  /** `rests`: nothing is sent for now. `tries`: one call, to see whether it is well again. */
  readonly state: () => 'well' | 'rests' | 'tries'
  /** Told when the state may have changed. */
  readonly onChange: (listener: () => void) => void
}

const detachedMark: unique symbol = Symbol.for('oncehook.detached')

/** A handler for `inbox.on`. In a preview it does nothing, as what it does could not be undone. */
export function detachedHandler(detached: Detached): Handler<unknown> {
  return Object.defineProperty(() => {}, detachedMark, { value: detached })
}

/** What is behind such a handler. */
export function detachedOf(run: unknown): Detached | undefined {
  return typeof run === 'function' && detachedMark in run ? (run[detachedMark] as Detached) : undefined
}
