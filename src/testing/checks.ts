import { isDeepStrictEqual } from 'node:util'
import type { Receipt, ReceiptFilter, TimelineEntry } from '../index.ts'
import { rowsStatement } from './database/throw-away-database.ts'
import { describeTimeline, showRows } from './describe-receipt.ts'
import type { TestDelivery } from './test-delivery.ts'
import type { TestEffect, TestMessage } from './test-inbox.ts'

/** What a check found. It holds, or `found` says what is there instead. */
export type Finding = { readonly holds: boolean; readonly expected: string; readonly found: string }

/** An event by its id, or by a delivery of it. */
export type EventReference = string | Pick<TestDelivery, 'id'>

/** The part of an inbox, of a test or of an app, whose receipts are looked at. */
export type HasReceipts = {
  readonly receipts: {
    readonly find: (filter: ReceiptFilter) => Promise<readonly Receipt[]>
    readonly timeline: (id: string) => Promise<readonly TimelineEntry[]>
  }
}

/** A test's inbox, or whatever sends statements: a Pool of `pg`, a PGlite. */
export type HasRows =
  | { readonly rows: (text: string, values?: readonly unknown[]) => Promise<readonly unknown[]> }
  | { readonly query: (text: string, values?: unknown[]) => Promise<{ readonly rows: readonly unknown[] }> }

/** How many rows, or which. */
export type ExpectedRows = number | readonly Readonly<Record<string, unknown>>[]

/** One receipt, processed, and no handler succeeded more than once. */
export async function processedOnce(inbox: HasReceipts, event: EventReference): Promise<Finding> {
  const { receipts, timeline, found } = await lookAt(inbox, event)
  const successes = timeline.flatMap((entry) =>
    entry.kind === 'attempt' && entry.attempt.outcome === 'succeeded' ? [entry.attempt.handler] : [],
  )
  const isOnce = successes.length > 0 && new Set(successes).size === successes.length
  const holds = receipts.length === 1 && receipts[0]?.status === 'processed' && isOnce
  return { holds, expected: `to have processed event ${idOf(event)} once`, found }
}

export async function receiptStatus(
  inbox: HasReceipts,
  event: EventReference,
  status: Receipt['status'],
): Promise<Finding> {
  const { receipts, found } = await lookAt(inbox, event)
  const holds = receipts.length === 1 && receipts[0]?.status === status
  return { holds, expected: `to have a receipt of event ${idOf(event)} that is ${status}`, found }
}

/** `error`: what the error of its last attempt has in it. */
export async function deadLetter(inbox: HasReceipts, event: EventReference, error = ''): Promise<Finding> {
  const { receipts, found } = await lookAt(inbox, event)
  const [receipt] = receipts
  const holds = receipt?.status === 'failed' && (receipt.lastError ?? '').includes(error)
  const why = error === '' ? '' : ` because of ${JSON.stringify(error)}`
  return { holds, expected: `to have event ${idOf(event)} among its dead letters${why}`, found }
}

/** So many rows, or these: of each at least the columns that are named, in this order. */
export async function rows(where: HasRows, tableOrStatement: string, expected: ExpectedRows): Promise<Finding> {
  const statement = rowsStatement(tableOrStatement)
  const actual = 'rows' in where ? await where.rows(statement) : (await where.query(statement)).rows
  return compare(actual, expected, tableOrStatement)
}

export async function effects(
  inbox: { readonly effects: () => Promise<readonly TestEffect[]> },
  expected: number | readonly string[],
): Promise<Finding> {
  const keys = (await inbox.effects()).map(({ key }) => key)
  const isCount = typeof expected === 'number'
  return {
    holds: isCount ? keys.length === expected : isDeepStrictEqual(keys.toSorted(), expected.toSorted()),
    expected: `to have taken ${isCount ? `${expected} keys` : `the keys ${expected.join(', ')}`} of once`,
    found: keys.length === 0 ? 'No key was taken.' : `${keys.length} were taken: ${keys.join(', ')}`,
  }
}

/** Messages of one target, sent or not: so many, or these. */
export async function messages(
  inbox: { readonly outbox: () => Promise<readonly TestMessage[]> },
  target: string,
  expected: ExpectedRows,
): Promise<Finding> {
  const ofTarget = (await inbox.outbox()).filter((message) => message.target === target)
  const said = ofTarget.map(({ message }) => message)
  return compare(typeof expected === 'number' ? ofTarget : said, expected, `messages to ${target}`)
}

/** What became of a delivery. A batch counts if it became of each of its events. */
export function answer(
  given: { readonly kind: string; readonly outcome?: unknown; readonly status?: number | undefined },
  kind: string,
): Finding {
  const kinds = kindsOf(given)
  const status = given.status === undefined ? '' : `, answered with ${given.status}`
  return {
    holds: kinds.length > 0 && kinds.every((one) => one === kind),
    expected: `to be ${kind}`,
    found: `It is ${[...new Set(kinds)].join(' and ')}${status}.`,
  }
}

function kindsOf(given: object): readonly string[] {
  const outcome: unknown = Reflect.get(given, 'outcome') ?? given
  if (typeof outcome !== 'object' || outcome === null) return []
  const parts: unknown = Reflect.get(outcome, 'outcomes')
  return Array.isArray(parts) ? parts.flatMap(kindsOf) : [String(Reflect.get(outcome, 'kind'))]
}

function compare(actual: readonly unknown[], expected: ExpectedRows, what: string): Finding {
  const isCount = typeof expected === 'number'
  const holds = isCount
    ? actual.length === expected
    : actual.length === expected.length && expected.every((row, index) => hasColumns(actual[index], row))
  return {
    holds,
    expected: `to have ${isCount ? `${expected} rows` : 'these rows'} in ${what}${isCount ? '' : `:\n${showRows(expected)}\n`}`,
    found: actual.length === 0 ? 'There is none.' : `There are ${actual.length}:\n${showRows(actual)}`,
  }
}

function hasColumns(actual: unknown, expected: Readonly<Record<string, unknown>>): boolean {
  if (typeof actual !== 'object' || actual === null) return false
  return Object.entries(expected).every(([name, value]) => isDeepStrictEqual(Reflect.get(actual, name), value))
}

type Look = {
  readonly receipts: readonly Receipt[]
  readonly timeline: readonly TimelineEntry[]
  readonly found: string
}

async function lookAt({ receipts: ledger }: HasReceipts, event: EventReference): Promise<Look> {
  const receipts = await ledger.find({ eventId: idOf(event) })
  const timelines = await Promise.all(receipts.map(({ id }) => ledger.timeline(id)))
  if (receipts.length > 0) {
    return { receipts, timeline: timelines.flat(), found: receipts.map(textOf).join('\n\n') }
  }
  const others = await ledger.find({ limit: 5 })
  const known = others.map(({ eventId, status }) => `${eventId} (${status})`).join(', ')
  const found = `There is no receipt of it. ${known === '' ? 'There is none at all.' : `The newest are: ${known}.`}`
  return { receipts, timeline: [], found }

  function textOf(receipt: Receipt, index: number): string {
    return describeTimeline(receipt, timelines[index] ?? [])
  }
}

function idOf(event: EventReference): string {
  return typeof event === 'string' ? event : event.id
}
