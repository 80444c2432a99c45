import { maskedHeaders } from '../../capture/masked-headers.ts'
import type { Receipt, Redaction, StoredBody, TimelineEntry } from '../../index.ts'
import type { Paint } from '../colour.ts'
import { describeDuration } from '../duration.ts'
import { forwardAdvice } from '../forward-advice.ts'
import type { Ledger } from '../ledger.ts'
import { prettyJson } from '../pretty-json.ts'
import { printable } from '../printable.ts'
import { receiptText } from '../receipt-texts.ts'
import type { Row } from './rows.ts'

/** What is stored of a receipt. */
export type ReceiptDetails = {
  readonly receipt: Receipt
  readonly timeline: readonly TimelineEntry[]
  readonly body: StoredBody | undefined
  readonly redaction: Redaction | undefined
}

/** Reads all of it. Undefined if there is no such receipt any more. */
export async function readDetails(
  ledger: Pick<Ledger, 'find' | 'timeline' | 'body' | 'redactions'>,
  id: string,
): Promise<ReceiptDetails | undefined> {
  const timeline = await ledger.timeline(id)
  const [receipt] = await ledger.find({ id, limit: 1 })
  if (receipt === undefined) return undefined
  const [redacted] = await ledger.redactions([id])
  return { receipt, timeline, body: await ledger.body(id), redaction: redacted?.redaction }
}

/** More than anybody reads on a screen. */
const mostCharacters = 100_000

/** The whole story of a row, line by line. Everything that a sender chose is spelt out. */
export function detailLines(row: Row, details: ReceiptDetails | undefined, paint: Paint): readonly string[] {
  const title = (text: string): readonly string[] => ['', paint('bold', text)]
  const { remark, receiptId } = row
  const advice = remark && forwardAdvice(remark)
  const trouble = remark === undefined ? [] : [paint('yellow', printable(remark)), ...(advice ? [advice] : []), '']
  if (receiptId === undefined) {
    return [
      ...trouble,
      `A delivery of ${printable(row.source)} was turned away (${row.state}). Nothing of it is stored.`,
    ]
  }
  if (details === undefined) return [...trouble, paint('dim', `Reading receipt ${receiptId}…`)]
  const { receipt, timeline, redaction, body } = details
  return [
    ...trouble,
    ...receiptText(receipt, { timeline, redaction }, paint).split('\n'),
    ...answerLines(row, title),
    ...(body === undefined
      ? title('There is no body of it any more.')
      : [
          ...title('Headers that are stored'),
          ...maskedHeaders(body.headers).map(([name, value]) => `  ${printable(name)}: ${printable(value)}`),
          ...title(`Body, ${body.content.byteLength} bytes`),
          ...bodyLines(body.content).map((line) => `  ${line}`),
        ]),
  ]
}

function answerLines(
  { answerStatus, tookMilliseconds, attempt }: Row,
  title: (text: string) => readonly string[],
): readonly string[] {
  if (tookMilliseconds === undefined || answerStatus === undefined) return []
  return [...title('Answer'), `  ${answerStatus} in ${describeDuration(tookMilliseconds)}, to attempt ${attempt}`]
}

function bodyLines(content: Uint8Array): readonly string[] {
  const text = readText(content)
  if (text === undefined) return ['It is not text.']
  const isShort = text.length <= mostCharacters
  const shown = (isShort ? prettyJson(text) : undefined) ?? text.slice(0, mostCharacters)
  const lines = shown.split(/\r?\n/).map(printable)
  return isShort ? lines : [...lines, `… ${text.length - mostCharacters} characters more: see receipts <id> --body`]
}

function readText(content: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content)
  } catch {
    return undefined
  }
}
