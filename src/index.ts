export type { Clock } from './clock.ts'
export type { Delivery, DeliveryHeaders, DeliveryInput, HeadersInput } from './delivery/delivery.ts'
export type { Door } from './delivery/door.ts'
export type { EventOutcome, Outcome } from './delivery/outcome.ts'
export type {
  BatchContext,
  BatchHandler,
  Handler,
  HandlerContext,
  HandlerEffects,
  HandlerOptions,
  LatestOptions,
  Logger,
  OutboxOptions,
  StandardSchema,
  UntypedPayload,
  WebhookEvent,
} from './effects/handler.ts'
export type { EffectNote } from './effects/handler-effects.ts'
export type { Version } from './effects/version.ts'
export { isOncehookError, OncehookError, type OncehookErrorCode, permanent } from './errors.ts'
export type {
  DeliveryEvent,
  EffectEvent,
  HandlerEvent,
  InboxEvent,
  InboxListener,
  InboxNotice,
  MessageEvent,
} from './events.ts'
export { createInbox, type DrainReport, type Inbox } from './inbox.ts'
export type { Replay } from './ledger-view.ts'
export type { InboxOptions, SourceMap } from './options.ts'
export type { PayloadOf, UntypedPayloads } from './payloads/payloads.ts'
export type { HandlerPreview, ReplayPreview } from './preview.ts'
export type { Backoff, RetryOptions } from './receipt/backoff.ts'
export type {
  Attempt,
  AttemptOutcome,
  NotedDelivery,
  OutboxMessage,
  Receipt,
  ReceiptFilter,
  ReceiptStatus,
  TimelineEntry,
} from './receipt/receipt.ts'
export type { MessageFilter } from './store/outbox-store.ts'
export type { DurabilityReport, MigrationReport, ReplayNote, StatusCount, Store, StoredBody } from './store/store.ts'
export type { MessageResult, OutgoingMessage, Target } from './targets/target.ts'
export { ecdsa } from './verify/algorithms/ecdsa.ts'
export { ed25519 } from './verify/algorithms/ed25519.ts'
export { hmac } from './verify/algorithms/hmac.ts'
export { rsa } from './verify/algorithms/rsa.ts'
export { defineProvider } from './verify/define-provider.ts'
export { bodyDigest, fieldsDigest } from './verify/derived-identity.ts'
export { anyPublicKey, base64Secret, ed25519PublicKey, hexSecret, utf8Secret } from './verify/keys.ts'
export { field } from './verify/object.ts'
export type {
  Answer,
  Confidence,
  EventToSign,
  FetchCurrent,
  IdentifiedEvent,
  Provider,
  ProviderFacts,
  SameChange,
} from './verify/provider.ts'
export type { ProviderDeclaration } from './verify/provider-declaration.ts'
export type { ProviderOptions } from './verify/provider-options.ts'
export { compositeId } from './verify/safe-id.ts'
export { basicAuth } from './verify/schemes/basic-auth.ts'
export { jwt } from './verify/schemes/jwt.ts'
export { signature } from './verify/schemes/signature.ts'
export { pairs, plain, versions } from './verify/schemes/signature-format.ts'
export { token } from './verify/schemes/token.ts'
export { hmacOverUrlAndForm } from './verify/schemes/url-and-form.ts'
export type { ForgedReason, Malformed, Verdict } from './verify/verdict.ts'
export type { WorkerOptions } from './worker.ts'
