import { decodeUtf8, type ParsedJson, parseJson } from './json.ts'
import type { Malformed } from './verdict.ts'

/** Parses one JSON document, or one per line, which become a list. */
export function parseJsonOrLines(bytes: Uint8Array, numbers: 'exact' | 'plain'): ParsedJson | Malformed {
  const whole = parseJson(bytes, numbers)
  if (whole.kind === 'parsed') return whole
  const lines = (decodeUtf8(bytes) ?? '').split('\n').filter((line) => line.trim() !== '')
  if (lines.length < 2) return whole
  const documents: unknown[] = []
  for (const [index, line] of lines.entries()) {
    const parsed = parseJson(Buffer.from(line, 'utf8'), numbers)
    if (parsed.kind === 'malformed') return { ...parsed, detail: `Line ${index + 1}: ${parsed.detail}` }
    documents.push(parsed.document)
  }
  return { kind: 'parsed', document: documents }
}
