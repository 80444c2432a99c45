export {
  expectAnswer,
  expectDeadLetter,
  expectEffects,
  expectMessages,
  expectProcessedOnce,
  expectReceipt,
  expectRows,
} from './assertions.ts'
export type { ProviderFunction, ProviderName } from './catalogue/provider-name.ts'
export type { EventReference, ExpectedRows, HasReceipts, HasRows } from './checks.ts'
export { concurrently, outOfOrder } from './concurrently.ts'
export type { CrashPoint } from './crash-points.ts'
export type { Query, TestPlace } from './database/throw-away-database.ts'
export {
  type Deliveries,
  type DeliveryOptions,
  deliveries,
  deliveriesOf,
  type Fields,
  type MakeDelivery,
} from './deliveries.ts'
export type { Duration } from './duration.ts'
export { type ManualClock, manualClock } from './manual-clock.ts'
export { type MatcherResult, type OncehookMatchers, oncehookMatchers } from './matchers.ts'
export type { ProviderKeys } from './provider-keys.ts'
export type { TestAnswer } from './test-answer.ts'
export type { TestDelivery } from './test-delivery.ts'
export {
  crashAfter,
  type TestEffect,
  type TestInbox,
  type TestInboxOptions,
  type TestMessage,
  testInbox,
} from './test-inbox.ts'
export { testKeys } from './test-keys.ts'
export type { SourcesOf, TestSource, TestSourceMap } from './test-sources.ts'
