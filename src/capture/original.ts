import type { Receipt } from '../receipt/receipt.ts'
import type { Capture, CaptureIdentity, HeaderPair } from '../store/capture-store.ts'
import type { StoredBody } from '../store/store.ts'

/** What is looked at again: a request that was captured, or a webhook that was received. */
export type OriginalKey = { readonly kind: 'capture' | 'receipt'; readonly id: string }

/** A request of before, as far as it was kept. */
export type Original = OriginalKey & {
  /** Of the capture endpoint, or of the source. */
  readonly name: string
  readonly at: Date
  readonly method: string
  /** Of a capture: what followed the endpoint's name. */
  readonly path: string
  readonly query: string
  readonly headers: readonly HeaderPair[]
  readonly content: Uint8Array
  readonly identity: CaptureIdentity | undefined
  /** Why it is not whole; undefined if it is. */
  readonly missing: string | undefined
}

/** Undefined if there is none, or its body was pruned. */
export type ReadOriginal = (key: OriginalKey) => Promise<Original | undefined>

/** Reads receipts, as an inbox does. */
export type ReceiptReader = {
  readonly find: (filter: { readonly id: string; readonly limit: number }) => Promise<readonly Receipt[]>
  readonly body: (id: string) => Promise<StoredBody | undefined>
}

export type OriginalParts = {
  readonly readCapture: (id: string) => Promise<Capture | undefined>
  /** Undefined where there are no receipts. */
  readonly receipts: ReceiptReader | undefined
  /** By source, the name of its provider. */
  readonly providerOf: (source: string) => string | undefined
}

export function createReadOriginal({ readCapture, receipts, providerOf }: OriginalParts): ReadOriginal {
  return async ({ kind, id }) => {
    if (kind === 'capture') {
      const capture = await readCapture(id)
      return capture && ofCapture(capture)
    }
    const [receipt] = (await receipts?.find({ id, limit: 1 })) ?? []
    const body = receipt && (await receipts?.body(id))
    return receipt && body && ofReceipt(receipt, body, providerOf(receipt.source))
  }
}

function ofCapture(capture: Capture): Original {
  const { id, endpoint, at, method, path, query, headers, content, identity, problem } = capture
  const missing = problem === undefined ? undefined : `Its body was not taken (${problem.replaceAll('_', ' ')}).`
  return { kind: 'capture', id, name: endpoint, at, method, path, query, headers, content, identity, missing }
}

function ofReceipt(receipt: Receipt, body: StoredBody, provider: string | undefined): Original {
  const { id, source, receivedAt, eventId, type } = receipt
  const { content, headers, redaction } = body
  const left = redaction === undefined ? [] : [...redaction.paths, ...(redaction.proof ?? [])]
  return {
    kind: 'receipt',
    id,
    name: source,
    at: receivedAt,
    method: 'POST',
    path: '',
    query: '',
    headers,
    content,
    identity: { provider: provider ?? source, eventId, type },
    missing: redaction?.paths.length ? `Parts of its body were never stored: ${left.join(', ')}.` : undefined,
  }
}
