import { decodeUtf8, hasLongNumber, notUtf8, type ParsedJson, parseJsonText } from './json.ts'
import type { Malformed } from './verdict.ts'

/**
 * The document of a delivery on its way from the one who identifies its events to a handler that runs before the answer, so that it is parsed
 * once for both. It is for the first who asks: handlers may change what they get.
 */
export class PassedDocument {
  /** Whether to parse all of it for a handler, where identity needs less. */
  readonly isExpected: boolean
  wasAskedFor = false
  #kept: ParsedJson | undefined = undefined

  constructor(isExpected: boolean) {
    this.isExpected = isExpected
  }

  /** What identity reads. Kept only if a handler would read the same: beyond 2^53 it gets what `JSON.parse` makes of a number. */
  parse(body: Uint8Array): ParsedJson | Malformed {
    const text = decodeUtf8(body)
    if (text === undefined) return notUtf8
    const parsed = parseJsonText(text, 'exact')
    if (parsed.kind === 'parsed' && !hasLongNumber(text)) this.#kept = parsed
    return parsed
  }

  take(): ParsedJson | undefined {
    this.wasAskedFor = true
    const kept = this.#kept
    this.#kept = undefined
    return kept
  }
}
