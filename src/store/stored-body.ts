import type { Redaction } from '../privacy/redaction.ts'

/** What was left out of the body of a receipt. */
export type StoredRedaction = { readonly receiptId: string; readonly redaction: Redaction }

/** The bytes of a delivery and what was kept of its headers. */
export type StoredBody = {
  readonly content: Uint8Array
  /** The same as text, where that is how it was read. */
  readonly text?: string
  readonly headers: readonly (readonly [string, string])[]
  /** What was left out before it was stored; undefined if nothing was. */
  readonly redaction?: Redaction | undefined
  /** Set while it is encrypted: then nothing else of it can be read but `redaction`. */
  readonly sealed?: SealedAs | undefined
}

/** How a body is encrypted. */
type SealedAs = {
  readonly keyId: string
  /** Of the receipt that it was read for. */
  readonly source: string
  /** Why it could not be opened. */
  readonly problem?: Error
}
