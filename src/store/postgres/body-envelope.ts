import type { Redaction } from '../../privacy/redaction.ts'
import type { BodyToStore } from '../../receipt/receipt.ts'
import type { StoredBody } from '../store.ts'

/** What the column `headers` holds of a body that is redacted or encrypted; of all others it holds the list of headers alone. */
type Envelope = {
  readonly keyId?: string
  readonly redaction?: Redaction
  readonly headers: StoredBody['headers']
}

/** A sender's deliveries have the very same list of headers, one after another. */
let last: { readonly headers: StoredBody['headers'] | undefined; readonly text: string } = {
  headers: undefined,
  text: '',
}

/** The text of the column. JSON keeps any header as it came: what a text column refuses is escaped in it. */
export function envelopeOf({ headers, stored }: Pick<BodyToStore, 'headers' | 'stored'>): string {
  if (stored === undefined) {
    if (headers !== last.headers) last = { headers, text: JSON.stringify(headers) }
    return last.text
  }
  const { keyId, redaction } = stored
  // The key comes first: that is how bodies under other keys are found.
  return JSON.stringify({ keyId, redaction, headers: stored.headers })
}

let lastRead: { readonly text: string; readonly parsed: StoredBody['headers'] | Envelope } = { text: '[]', parsed: [] }

/** The body of a row. */
export function bodyOf(content: Uint8Array, envelope: string, source: string): StoredBody {
  const parsed = parsedEnvelope(envelope)
  if (!('headers' in parsed)) return { content, headers: parsed }
  const { keyId, ...body } = parsed
  return { content, ...body, ...(keyId !== undefined && { sealed: { keyId, source } }) }
}

/** The same of one that is not encrypted and was read as text. Its bytes are made when they are asked for. */
export function textBodyOf(text: string, envelope: string): StoredBody {
  const parsed = parsedEnvelope(envelope)
  return 'headers' in parsed ? new TextBody(text, parsed.headers, parsed.redaction) : new TextBody(text, parsed)
}

/** A class, because a getter in a literal would be defined anew for every body. */
class TextBody implements StoredBody {
  readonly text: string
  readonly headers: StoredBody['headers']
  readonly redaction: Redaction | undefined
  #content: Uint8Array | undefined

  constructor(text: string, headers: StoredBody['headers'], redaction?: Redaction) {
    this.text = text
    this.headers = headers
    this.redaction = redaction
  }

  get content(): Uint8Array {
    this.#content ??= Buffer.from(this.text, 'utf8')
    return this.#content
  }
}

function parsedEnvelope(text: string): StoredBody['headers'] | Envelope {
  if (text !== lastRead.text) lastRead = { text, parsed: JSON.parse(text) as StoredBody['headers'] | Envelope }
  return lastRead.parsed
}

/** What was left out of the body with this envelope. */
export function redactionOf(envelope: string): Redaction | undefined {
  const parsed = JSON.parse(envelope) as StoredBody['headers'] | Envelope
  return 'headers' in parsed ? parsed.redaction : undefined
}
