import type { StoredForm } from '../receipt/receipt.ts'
import type { Capture, CaptureAnswer } from './capture-store.ts'
import type { StoredBody } from './stored-body.ts'

/** What may be encrypted, for giving it another key. */
export type SealedStore = {
  /** Bodies of the receipts after the cursor, in the order of receipts, that are not under the key; no more than fit into memory. */
  readonly bodies: (page: RekeyPage) => Promise<RekeyRows<BodyRow>>
  /** Writes bodies in the place of those that were read. One that somebody else has changed or deleted since is left alone. */
  readonly replaceBodies: (replacements: readonly ReplacedBody[]) => Promise<number>
  /** The same for messages of the outbox, for results of effects, for values of the datastore, and for traces of automations. */
  readonly texts: (kind: SealedKind, page: RekeyPage) => Promise<RekeyRows<TextRow>>
  readonly replaceTexts: (
    kind: SealedKind,
    environment: string,
    replacements: readonly ReplacedText[],
  ) => Promise<number>
  /** The same for captures. */
  readonly captures: (page: RekeyPage) => Promise<RekeyRows<CaptureRow>>
  readonly replaceCaptures: (environment: string, replacements: readonly ReplacedCapture[]) => Promise<number>
}

export type SealedKind = 'message' | 'result' | 'value' | 'trace'

export type RekeyPage = {
  readonly environment: string
  /** What is under it is passed over. */
  readonly keyId: string
  /** From the page before; undefined for the first one. */
  readonly after: string | undefined
}

export type RekeyRows<Row> = {
  readonly rows: readonly Row[]
  /** Where the next page begins; undefined after the last one. */
  readonly next: string | undefined
}

/** A stored body, as it lies there. */
export type BodyRow = {
  readonly bodyId: string
  readonly source: string
  readonly body: StoredBody
  /** Where the store finds it again, and how it knows that it is still the same. */
  readonly row: { readonly storedOn: string; readonly envelope: string }
}

export type TextRow = {
  /** The row it is in. */
  readonly id: string
  /** Of a message; of a value, its namespace; of a trace, its automation. */
  readonly target: string | undefined
  /** Of a trace, the receipt and the attempt with a space between them. */
  readonly key: string
  readonly text: string
}

/** What stood there, and what is to stand there. */
export type ReplacedBody = { readonly before: BodyRow; readonly after: StoredForm }

/** A capture, as it lies there. */
export type CaptureRow = Pick<Capture, 'id' | 'endpoint' | 'query' | 'headers' | 'content' | 'keyId'> & {
  readonly answer: Pick<CaptureAnswer, 'headers' | 'body'>
}

export type ReplacedCapture = { readonly before: CaptureRow; readonly after: CaptureRow }

export type ReplacedText = { readonly before: TextRow; readonly after: string }
