import type { Receipt } from '../index.ts'
import type { EventReference, ExpectedRows, Finding } from './checks.ts'
import * as check from './checks.ts'
import { textOf } from './finding-text.ts'

/** What Vitest and Jest ask of a matcher. */
export type MatcherResult = { readonly pass: boolean; readonly message: () => string }

type Matcher<Given extends readonly unknown[], Result> = (...given: Given) => Result

/** What `expect` gains, for a subject of this type. `Sync` is what a matcher returns that need not wait. */
export type OncehookMatchers<Subject = unknown, Sync = void> = {
  /** One receipt, processed, and no handler succeeded more than once. */
  readonly toHaveProcessedOnce: (event: EventReference) => Promise<void>
  readonly toHaveReceipt: (event: EventReference, status: Receipt['status']) => Promise<void>
  /** `error`: a part of what it failed with. */
  readonly toHaveDeadLetter: (event: EventReference, error?: string) => Promise<void>
  /** So many rows, or these: of each at least the columns that are named. */
  readonly toHaveRows: (tableOrStatement: string, expected: ExpectedRows) => Promise<void>
  /** So many keys of `once`, or these. */
  readonly toHaveEffects: (expected: number | readonly string[]) => Promise<void>
  /** So many messages of the outbox for a target, or these. */
  readonly toHaveMessages: (target: string, expected: ExpectedRows) => Promise<void>
  readonly toBeProcessed: OfAnswer<Subject, Sync>
  readonly toBeAccepted: OfAnswer<Subject, Sync>
  readonly toBeDuplicate: OfAnswer<Subject, Sync>
  readonly toBeForged: OfAnswer<Subject, Sync>
}

/** Only what became of a delivery can be asked for that. */
type OfAnswer<Subject, Sync> = Subject extends { readonly kind: string } ? () => Sync : never

/** For `expect.extend`, of Vitest and of Jest. */
export const oncehookMatchers: {
  readonly toHaveProcessedOnce: Matcher<Parameters<typeof check.processedOnce>, Promise<MatcherResult>>
  readonly toHaveReceipt: Matcher<Parameters<typeof check.receiptStatus>, Promise<MatcherResult>>
  readonly toHaveDeadLetter: Matcher<Parameters<typeof check.deadLetter>, Promise<MatcherResult>>
  readonly toHaveRows: Matcher<Parameters<typeof check.rows>, Promise<MatcherResult>>
  readonly toHaveEffects: Matcher<Parameters<typeof check.effects>, Promise<MatcherResult>>
  readonly toHaveMessages: Matcher<Parameters<typeof check.messages>, Promise<MatcherResult>>
  readonly toBeProcessed: Matcher<[Answered], MatcherResult>
  readonly toBeAccepted: Matcher<[Answered], MatcherResult>
  readonly toBeDuplicate: Matcher<[Answered], MatcherResult>
  readonly toBeForged: Matcher<[Answered], MatcherResult>
} = {
  toHaveProcessedOnce: ofInbox(check.processedOnce),
  toHaveReceipt: ofInbox(check.receiptStatus),
  toHaveDeadLetter: ofInbox(check.deadLetter),
  toHaveRows: ofInbox(check.rows),
  toHaveEffects: ofInbox(check.effects),
  toHaveMessages: ofInbox(check.messages),
  toBeProcessed: ofAnswer('processed'),
  toBeAccepted: ofAnswer('accepted'),
  toBeDuplicate: ofAnswer('duplicate'),
  toBeForged: ofAnswer('forged'),
}

type Answered = Parameters<typeof check.answer>[0]

function ofInbox<Given extends readonly unknown[]>(
  find: (...given: Given) => Promise<Finding>,
): Matcher<Given, Promise<MatcherResult>> {
  return async (...given) => toResult('the inbox', await find(...given))
}

function ofAnswer(kind: string): Matcher<[Answered], MatcherResult> {
  return (given) => toResult('the delivery', check.answer(given, kind))
}

function toResult(subject: string, finding: Finding): MatcherResult {
  return { pass: finding.holds, message: () => textOf(subject, finding) }
}
