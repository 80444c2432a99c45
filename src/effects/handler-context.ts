import type { LazyAbort } from '../abort.ts'
import type { EffectTransaction } from '../store/effect-transaction.ts'
import type { Answer, FetchCurrent } from '../verify/provider.ts'
import { fetchCurrentOf } from './fetch-current.ts'
import type { HandlerContext, HandlerEffects, Logger, UntypedPayload, WebhookEvent } from './handler.ts'

/** What a handler said besides returning. */
export type Said = {
  deferral: { readonly seconds: number; readonly reason: string } | undefined
  answer: Answer | undefined
}

export type ContextParts<Tx> = {
  readonly tx: Tx
  readonly event: WebhookEvent
  readonly attempt: number
  readonly abort: LazyAbort
  readonly log: Logger
  readonly fetchCurrent: FetchCurrent | undefined
  readonly isPreview: boolean
  /** Made when they are first asked for. */
  readonly effects: () => HandlerEffects
  /** The transaction that the effects are in. */
  readonly transaction: () => EffectTransaction
  readonly said: Said
}

/** What a handler is given besides the event. */
export function createHandlerContext<Tx>(parts: ContextParts<Tx>): HandlerContext<Tx> {
  return new LazyContext(parts)
}

/** For handlers of our own, which write to our own tables: the transaction behind a context. */
export function transactionOf(context: object): EffectTransaction {
  if (!(context instanceof LazyContext)) throw new TypeError('This is not the context of a handler that runs.')
  return LazyContext.transactionOf(context)
}

/** A class for the reason that events are of one; and of what a handler may ask for, only that is made which it asks for. */
class LazyContext<Tx> implements HandlerContext<Tx> {
  readonly tx: Tx
  readonly attempt: number
  readonly log: Logger
  readonly isPreview: boolean
  readonly #parts: ContextParts<Tx>

  constructor(parts: ContextParts<Tx>) {
    this.tx = parts.tx
    this.attempt = parts.attempt
    this.log = parts.log
    this.isPreview = parts.isPreview
    this.#parts = parts
  }

  static transactionOf<Any>(context: LazyContext<Any>): EffectTransaction {
    return context.#parts.transaction()
  }

  get signal(): AbortSignal {
    return this.#parts.abort.signal
  }

  get once(): HandlerEffects['once'] {
    return this.#parts.effects().once
  }

  get latest(): HandlerEffects['latest'] {
    return this.#parts.effects().latest
  }

  get outbox(): HandlerEffects['outbox'] {
    return this.#parts.effects().outbox
  }

  get datastore(): HandlerEffects['datastore'] {
    return this.#parts.effects().datastore
  }

  get idempotencyKey(): HandlerEffects['idempotencyKey'] {
    return this.#parts.effects().idempotencyKey
  }

  get fetchCurrent(): HandlerContext<Tx>['fetchCurrent'] {
    const { event, fetchCurrent, abort } = this.#parts
    return (): Promise<UntypedPayload> => fetchCurrentOf(event, fetchCurrent, abort.signal)
  }

  get defer(): HandlerContext<Tx>['defer'] {
    const { said } = this.#parts
    return ({ seconds, reason }) => {
      said.deferral = { seconds: Number.isFinite(seconds) ? Math.max(0, seconds) : 0, reason }
      throw new Deferred(reason)
    }
  }

  get respond(): HandlerContext<Tx>['respond'] {
    const { said } = this.#parts
    return (given) => {
      said.answer = { status: 200, ...given }
    }
  }
}

/** Ends a handler's run from inside. */
export class Deferred extends Error {
  constructor(reason: string) {
    super(`Deferred: ${reason}`)
    this.name = 'Deferred'
  }
}
