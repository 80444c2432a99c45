import type { ReceiptFilter, ReceiptStatus } from '../index.ts'
import type { OptionValues } from './command.ts'
import type { filterOptions } from './common-options.ts'
import { parseMoment } from './duration.ts'
import { wrongUsage } from './failure.ts'
import { wholeNumber } from './parse-arguments.ts'

const statuses = [
  'received',
  'processing',
  'processed',
  'retrying',
  'failed',
  'ignored',
  'stale',
  'same_change',
] as const satisfies readonly ReceiptStatus[]

/** More than anybody reads at once, and few enough to hold in memory. */
export const mostReceipts: number = 10_000

/** The filter that the options describe. */
export function filterOf(values: OptionValues<typeof filterOptions>, now: Date): ReceiptFilter {
  const { source, type, object, event, status, after } = values
  const limit = wholeNumber('limit', values.limit, { atLeast: 1, atMost: mostReceipts })
  return {
    ...(source !== undefined && { source }),
    ...(type !== undefined && { type }),
    ...(object !== undefined && { objectId: object }),
    ...(event !== undefined && { eventId: event }),
    ...(status !== undefined && { status: statusesOf(status) }),
    ...(after !== undefined && { receivedAfter: momentOf(after, now) }),
    ...(limit !== undefined && { limit }),
  }
}

/** True for a text that can be the id of a receipt. */
export function isReceiptId(text: string): boolean {
  return /^\d{1,18}$/.test(text)
}

function statusesOf(text: string): readonly ReceiptStatus[] {
  return text.split(',').map((word) => {
    const known = statuses.find((status) => status === word.trim())
    if (known !== undefined) return known
    throw wrongUsage(`--status knows no ${JSON.stringify(word)}: give one or more of ${statuses.join(', ')}.`)
  })
}

function momentOf(text: string, now: Date): Date {
  const moment = parseMoment(text, now)
  if (moment !== undefined) return moment
  throw wrongUsage(
    `--after is ${JSON.stringify(text)}: give a time such as 2026-01-31T12:00:00Z, or how long ago: 15m, 2h, 7d.`,
  )
}
