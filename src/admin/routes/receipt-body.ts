import { isUtf8 } from 'node:buffer'
import type { StoredBody } from '../../index.ts'
import { list, object, pair } from '../compound-schema.ts'
import { anyText, flag, named, nullable, type Schema, whole } from '../schema.ts'

/** What was stored of a request, as it is shown. */
export type ShownBody = {
  readonly headers: readonly (readonly [string, string])[]
  readonly bytes: number
  readonly contentType: string | null
  readonly text: string | null
  readonly base64: string
  readonly isTruncated: boolean
  readonly redacted: readonly string[]
}

export const receiptBody: Schema<ShownBody> = named(
  'ReceiptBody',
  object({
    headers: list(pair(anyText(), anyText()), { description: 'Those that were kept: no credentials, no signatures.' }),
    bytes: whole({ description: 'Of the whole body.' }),
    contentType: nullable(anyText()),
    text: nullable(anyText({ description: 'Null if it is not UTF-8.' })),
    base64: anyText(),
    isTruncated: flag({ description: 'Whether `text` and `base64` are only the beginning.' }),
    redacted: list(anyText(), { description: 'What is not in it, by path; `[secret]` if it held one of ours.' }),
  }),
)

/** More than this is not shown: a page that holds it would be slow, and nobody reads it. */
const mostShownBytes = 512 * 1024

/** Signatures were never stored. Should a sender have put one of our secrets into its body, that is not shown either. */
export function shownBody({ content, headers, redaction }: StoredBody, hide: (text: string) => string): ShownBody {
  const isText = isUtf8(content)
  const whole = Buffer.from(content)
  // Byte by byte, so that a secret is found between bytes that are no text as well.
  const encoding = isText ? 'utf8' : 'latin1'
  const hidden = hide(whole.toString(encoding))
  const isHidden = hidden !== whole.toString(encoding)
  const shown = isHidden ? Buffer.from(hidden, encoding) : whole
  const cut = shown.subarray(0, mostShownBytes)
  return {
    headers: headers.map(([name, value]) => [name, hide(value)]),
    bytes: content.byteLength,
    contentType: headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? null,
    // A character that was cut in half is left out.
    text: isText ? cut.toString('utf8').replace(/\ufffd$/, shown.length > cut.length ? '' : '\ufffd') : null,
    base64: cut.toString('base64'),
    isTruncated: shown.length > cut.length,
    redacted: [...(redaction?.paths ?? []), ...(redaction?.proof ?? []), ...(isHidden ? ['[secret]'] : [])],
  }
}
