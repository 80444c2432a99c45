export type { Clock } from './clock.ts'
export type { Delivery, DeliveryHeaders, DeliveryInput, HeadersInput } from './delivery/delivery.ts'
export type { Door } from './delivery/door.ts'
export type { EventOutcome, Outcome } from './delivery/outcome.ts'
export type {
  Handler,
  HandlerContext,
  HandlerOptions,
  Logger,
  StandardSchema,
  UntypedPayload,
  WebhookEvent,
} from './effects/handler.ts'
export { isOncehookError, OncehookError, type OncehookErrorCode, permanent } from './errors.ts'
export type { DeliveryEvent, HandlerEvent, InboxEvent, InboxListener, InboxNotice } from './events.ts'
export { createInbox, type Inbox } from './inbox.ts'
export type { InboxOptions, SourceMap } from './options.ts'
export type { Backoff, RetryOptions } from './receipt/backoff.ts'
export type {
  Attempt,
  AttemptOutcome,
  NotedDelivery,
  Receipt,
  ReceiptFilter,
  ReceiptStatus,
  TimelineEntry,
} from './receipt/receipt.ts'
export type { DurabilityReport, MigrationReport, ReplayNote, StatusCount, Store, StoredBody } from './store/store.ts'
export type { Answer, EventToSign, IdentifiedEvent, Provider, ProviderFacts } from './verify/provider.ts'
export type { ForgedReason, Malformed, Verdict } from './verify/verdict.ts'
export type { DrainReport, WorkerOptions } from './worker.ts'
