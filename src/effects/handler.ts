import type { Datastore } from '../datastore/datastore.ts'
import type { Backoff } from '../receipt/backoff.ts'
import type { Answer, SameChange } from '../verify/provider.ts'
import type { Version } from './version.ts'

/** An event as a handler sees it. */
export type WebhookEvent<Payload = UntypedPayload> = {
  /** The provider's stable id for the event. */
  readonly id: string
  readonly type: string
  readonly source: string
  readonly receiptId: string
  /** The id of the delivery that was recorded, where the provider has one. */
  readonly deliveryId: string | undefined
  /** The thing the event is about, for example an invoice. */
  readonly objectId: string | undefined
  /** Of a batch, where in `document` this event is: a JSON pointer (RFC 6901). */
  readonly part: string | undefined
  /** When it happened, by the provider's clock. */
  readonly occurredAt: Date | undefined
  readonly receivedAt: Date
  /** The request's trace id, its request id, or one of our own: what the log lines of its delivery and its handlers have in common. */
  readonly correlationId: string
  /**
   * The parsed body; of a batch, the part that is this event. Parsed at the first use; throws `ONCEHOOK_PAYLOAD_NOT_JSON`.
   * Numbers are JavaScript's: for digits beyond 2^53 read `body`.
   */
  readonly payload: Payload
  /** The whole parsed body. Equals `payload` unless the delivery was a batch. */
  readonly document: UntypedPayload
  /** The exact bytes that were signed; of a redacted event, what is stored of them. */
  readonly body: Uint8Array
  /**
   * What is missing in `payload`, `document` and `body`, because it was never stored: the paths of the option `redact` that named
   * something, `$` for the whole body, `(function)` if a function chose. Empty where the event is as it came, as it is for inline handlers.
   */
  readonly redacted: readonly string[]
  /** Without credentials and signatures. */
  readonly headers: ReadonlyMap<string, string>
}

/** JSON that nobody described: what `JSON.parse` returns. */
export type UntypedPayload = ReturnType<typeof JSON.parse>

/** What a handler is given besides the event. */
export type HandlerContext<Tx> = {
  /** Your own transaction. What you write through it commits together with the receipt, or not at all. */
  readonly tx: Tx
  /** Aborted when the handler's time is up or the process is stopping. Pass it to whatever can take long. */
  readonly signal: AbortSignal
  /** 1 for the first run of this event. */
  readonly attempt: number
  /** "Not yet": ends this run, rolls it back and tries again later, without counting it as a failure. */
  readonly defer: (later: { readonly seconds: number; readonly reason: string }) => never
  /** For calls to other services: stable over retries and replays, different for every event and label, at most 48 characters. */
  readonly idempotencyKey: (label: string) => string
  readonly once: HandlerEffects['once']
  readonly latest: HandlerEffects['latest']
  readonly outbox: HandlerEffects['outbox']
  readonly datastore: HandlerEffects['datastore']
  /** The object as it is now at the provider, by the source's option `fetchCurrent`. */
  readonly fetchCurrent: <Current = UntypedPayload>() => Promise<Current>
  /** True in a replay preview: everything through `tx` is rolled back, but calls to other services would be real. */
  readonly isPreview: boolean
  /** What to answer the provider, for those that read the answer. Only heard in inline mode. */
  readonly respond: (answer: Partial<Answer>) => void
  readonly log: Logger
}

/** Effects in the handler's own transaction. */
export type HandlerEffects = {
  /** Applies the effect unless one with this key was ever applied; then it gives the result that was kept. Keys are per environment. */
  readonly once: <Result>(
    key: string,
    apply: () => Result | Promise<Result>,
  ) => Promise<{ readonly applied: boolean; readonly result: Result }>
  /** Applies only if no newer version of the key was seen. A late event is recorded as `stale`. */
  readonly latest: <Result>(
    key: string,
    version: Version,
    apply: () => Result | Promise<Result>,
    options?: LatestOptions,
  ) => Promise<{ readonly applied: true; readonly result: Result } | { readonly applied: false }>
  readonly outbox: {
    /** A message that is sent after the commit, at least once and always with the same key. */
    readonly add: (
      target: string,
      message: unknown,
      options?: OutboxOptions,
    ) => Promise<{ readonly added: boolean; readonly key: string }>
  }
  readonly idempotencyKey: (label: string) => string
  /** Small values by namespace and key, read and written in the handler's transaction, and undone with it. */
  readonly datastore: Datastore
}

/** How the versions of a key are compared. */
export type LatestOptions = {
  /** What an equal version means. Default `apply`: another event of the same moment, not an older one. */
  readonly whenEqual?: 'apply' | 'stale'
  /** How texts are compared. Default `text`: by code point. `natural`: numbers in them by value. */
  readonly textOrder?: 'text' | 'natural'
}

/** When and as what a message is sent. */
export type OutboxOptions = {
  /** What the receiver dedupes on; a second message with it is not added. Default: derived from event, handler, target and number. */
  readonly key?: string
  readonly delaySeconds?: number
  /** Messages to one target with the same order are sent one after another. */
  readonly order?: string
}

/** What is done with an event. */
export type Handler<Tx, Payload = UntypedPayload> = (
  event: WebhookEvent<Payload>,
  context: HandlerContext<Tx>,
) => unknown

/** Takes many events at once, in one transaction: all of them take effect, or none. */
export type BatchHandler<Tx, Payload = UntypedPayload> = (
  events: readonly WebhookEvent<Payload>[],
  context: BatchContext<Tx>,
) => unknown

/** What a batch handler is given besides the events. */
export type BatchContext<Tx> = Pick<HandlerContext<Tx>, 'tx' | 'signal' | 'log' | 'isPreview'> & {
  /** `once`, `latest`, `outbox`, `idempotencyKey` and `datastore` of one of the events. */
  readonly effectsOf: (event: WebhookEvent) => HandlerEffects
}

/** How a handler is run. */
export type HandlerOptions<Payload = UntypedPayload> = {
  /** How its completion is remembered. Name handlers when several match one event, so that they can be reordered freely. */
  readonly name?: string
  /** `inline`: before the answer, in one transaction with the receipt. `queued`: by a worker, after a 202. */
  readonly mode?: 'inline' | 'queued'
  /** Runs until it becomes a dead letter. Default 12. */
  readonly maxAttempts?: number
  readonly backoff?: Backoff
  /** After this the run is rolled back and its connection closed. Default 30. */
  readonly timeoutSeconds?: number
  /** `object`: events of one object one at a time, in the order of arrival. Queued mode only. */
  readonly order?: 'object'
  /**
   * Two events for one change: `object` takes object id and type as the change, a function names it. The second event is recorded as
   * `same_change` and not run. Default: the source's.
   */
  readonly sameChange?: SameChange
  /**
   * `shared`: a worker runs several events one after another and commits them together, each undone alone if it fails. Several times
   * faster for short handlers; locks are held until the last of them is done. Default `own`. Queued mode only.
   */
  readonly commit?: 'own' | 'shared'
  /** Checks the payload (zod, valibot, arktype, …) and gives it its type. What does not fit is a permanent failure. */
  readonly schema?: StandardSchema<Payload>
}

/** The part of Standard Schema (https://standardschema.dev) that is used here. */
export type StandardSchema<Output> = {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined
  }
}

type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string }[] }

/** The part of a logger that is used: pino, winston, bunyan and console-like loggers fit. */
export type Logger = {
  readonly info: (fields: object, message: string) => void
  readonly warn: (fields: object, message: string) => void
  readonly error: (fields: object, message: string) => void
}
