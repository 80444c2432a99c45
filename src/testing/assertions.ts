import { AssertionError } from 'node:assert'
import type { Receipt } from '../index.ts'
import type { EventReference, ExpectedRows, Finding, HasReceipts, HasRows } from './checks.ts'
import * as check from './checks.ts'
import { textOf } from './finding-text.ts'
import type { TestInbox } from './test-inbox.ts'

/** One receipt, processed, and no handler succeeded more than once. */
export async function expectProcessedOnce(inbox: HasReceipts, event: EventReference): Promise<void> {
  demand('the inbox', await check.processedOnce(inbox, event))
}

/** The receipt of the event has this status. */
export async function expectReceipt(
  inbox: HasReceipts,
  event: EventReference,
  status: Receipt['status'],
): Promise<void> {
  demand('the inbox', await check.receiptStatus(inbox, event, status))
}

/** `error`: a part of what it failed with. */
export async function expectDeadLetter(inbox: HasReceipts, event: EventReference, error?: string): Promise<void> {
  demand('the inbox', await check.deadLetter(inbox, event, error))
}

/** So many rows, or these: of each at least the columns that are named. */
export async function expectRows(where: HasRows, tableOrStatement: string, expected: ExpectedRows): Promise<void> {
  demand('the database', await check.rows(where, tableOrStatement, expected))
}

/** So many keys of `once`, or these. */
export async function expectEffects(
  inbox: Pick<TestInbox, 'effects'>,
  expected: number | readonly string[],
): Promise<void> {
  demand('the inbox', await check.effects(inbox, expected))
}

/** So many messages of the outbox for a target, or these. */
export async function expectMessages(
  inbox: Pick<TestInbox, 'outbox'>,
  target: string,
  expected: ExpectedRows,
): Promise<void> {
  demand('the inbox', await check.messages(inbox, target, expected))
}

/** What became of a delivery: `processed`, `accepted`, `duplicate`, `forged` and so on. */
export function expectAnswer(answer: Parameters<typeof check.answer>[0], kind: string): void {
  demand('the delivery', check.answer(answer, kind))
}

function demand(subject: string, finding: Finding): void {
  if (finding.holds) return
  throw new AssertionError({ message: textOf(subject, finding), stackStartFn: demand })
}
