export type { AdminView } from './admin-view.ts'
export type { Alert, AlertView } from './alert-view.ts'
export type { AlertMessage } from './alerts/alert-message.ts'
export type { AlertFormat, AlertOptions, AlertTarget } from './alerts/alert-options.ts'
export type { AlertRules } from './alerts/rule-options.ts'
export type { Automation, AutomationTrigger, Step, StepTrace } from './automation/automation.ts'
export type { AutomationOptions } from './automation/automation-options.ts'
export type { CapturedRequest } from './automation/capture-source.ts'
export type { KnownAutomation } from './automation/create-automations.ts'
export type { AutomationChange, AutomationRun, AutomationView } from './automation-view.ts'
export type { Clock } from './clock.ts'
export type {
  Datastore,
  DatastoreNamespace,
  DatastorePage,
  DatastoreValue,
  Expected,
  Stored,
  TtlOption,
} from './datastore/datastore.ts'
export type { Delivery, DeliveryHeaders, DeliveryInput, HeadersInput } from './delivery/delivery.ts'
export type { Door } from './delivery/door.ts'
export type { EventOutcome, Outcome } from './delivery/outcome.ts'
export type { SourceDescription } from './describe-sources.ts'
export type { Diagnosis } from './diagnose-delivery.ts'
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
  CaptureEvent,
  DeliveryEvent,
  EffectEvent,
  HandlerEvent,
  InboxEvent,
  InboxListener,
  InboxNotice,
  MessageEvent,
  UpkeepEvent,
} from './events.ts'
export { createInbox, type DrainReport, type Inbox } from './inbox.ts'
export type { Replay } from './ledger-view.ts'
export type { InboxOptions, SourceMap } from './options.ts'
export type { PayloadOf, UntypedPayloads } from './payloads/payloads.ts'
export type { HandlerPreview, ReplayPreview } from './preview.ts'
export type { Encryption, EncryptionKey, FetchEncryptionKey } from './privacy/encryption.ts'
export type { BodyToRedact, Redact, RedactFunction, Redaction } from './privacy/redaction.ts'
export type { RekeyOptions, RekeyReport } from './privacy/rekey.ts'
export type { Backoff, RetryOptions } from './receipt/backoff.ts'
export type { Cache, CacheKey, CacheNotice, RememberedReceipt } from './receipt/cache.ts'
export type { Gauges, OutboxGauge, PendingGauge, QueueGauge } from './receipt/gauges.ts'
export { type MemoryCacheOptions, memoryCache } from './receipt/memory-cache.ts'
export type { DeadlineMeter, Meters, SecretMeter, SecretUse } from './receipt/meters.ts'
export type {
  Attempt,
  AttemptOutcome,
  NotedDelivery,
  OutboxMessage,
  Receipt,
  ReceiptFilter,
  ReceiptOrigin,
  ReceiptStatus,
  TimelineEntry,
} from './receipt/receipt.ts'
export type {
  DelayBucket,
  DocumentedRetries,
  RetryCause,
  RetryPattern,
  RetryPatternFilter,
} from './receipt/retry-pattern.ts'
export type { AutomaticBackfillOptions } from './recovery/automatic-backfill.ts'
export type { BackfillOptions, BackfillReport } from './recovery/backfill.ts'
export type { GapOptions, GapReport, MissingEvent } from './recovery/find-gaps.ts'
export type { ImportColumns, ImportOptions, ImportReport } from './recovery/import-table.ts'
export type { Recovery } from './recovery/recovery.ts'
export type { DryRun } from './retention/dry-run.ts'
export type { OffPeakWindow } from './retention/off-peak.ts'
export type { RetentionOptions } from './retention/retention-options.ts'
export type { PruneOptions, PruneReport } from './retention-view.ts'
export type { Shadow } from './shadow/shadow.ts'
export type {
  EffectCounts,
  ShadowEvidence,
  ShadowFinding,
  ShadowReport,
  ShadowReportOptions,
} from './shadow/shadow-report.ts'
export type { WatchedCall } from './shadow/watch-calls.ts'
export type { CallEnding } from './shadow/watched-call.ts'
export type { AdminChange, AdminChangeEnding, AdminLogEntry, AdminLogFilter } from './store/admin-log-store.ts'
export type { AdminSession, NewAdminSession } from './store/admin-session-store.ts'
export type { ActiveMute, AlertFigures, AlertFilter, AlertMute, AlertNote } from './store/alert-store.ts'
export type { DurabilityReport } from './store/durability-report.ts'
export type { Backlog, HealthReport, LedgerSize, SourceHealth, TargetHealth } from './store/health.ts'
export type {
  BodyPartitionFacts,
  CleanupHolder,
  ConnectionFacts,
  ExpiredLeases,
  IndexFacts,
  Inspection,
  InspectOptions,
  MigrationFacts,
  ServerFacts,
  SizeFacts,
  TableFacts,
} from './store/inspection.ts'
export type { MessageFilter } from './store/outbox-store.ts'
export type {
  DeadLetterGroup,
  DeadLetterGroups,
  PageFilter,
  ReceiptPage,
  TrafficBucket,
  TrafficQuestion,
} from './store/overview-store.ts'
export type { HoldNote, LedgerDay } from './store/retention-store.ts'
export type { AcceptedForgery, ShadowCall, ShadowEnding, ShadowedEvent } from './store/shadow-store.ts'
export type {
  MigrationReport,
  ReplayNote,
  StatusCount,
  Store,
  StoredBody,
  StoredRedaction,
} from './store/store.ts'
export type { MessageResult, OutgoingMessage, Target } from './targets/target.ts'
export { ecdsa } from './verify/algorithms/ecdsa.ts'
export { ed25519 } from './verify/algorithms/ed25519.ts'
export { hmac } from './verify/algorithms/hmac.ts'
export { rsa } from './verify/algorithms/rsa.ts'
export { defineProvider } from './verify/define-provider.ts'
export { bodyDigest, fieldsDigest } from './verify/derived-identity.ts'
export type { EventHistory, HistoricEvent, HistoryPage, HistoryQuestion } from './verify/event-history.ts'
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
export type { SendingRules, StatusPattern } from './verify/sending-rules.ts'
export type { ForgedReason, Malformed, Verdict } from './verify/verdict.ts'
export type { WorkerOptions } from './worker.ts'
