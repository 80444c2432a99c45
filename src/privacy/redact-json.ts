import { isUtf8 } from 'node:buffer'
import { createMatcher, type Place } from './path-matcher.ts'
import { redactedValue } from './redaction.ts'
import type { RedactionPath } from './redaction-path.ts'

/** What is left of a document, byte for byte as it was, but for what the paths name. `unreadable`: it is not one JSON document. */
export type RedactedJson =
  | { readonly kind: 'redacted'; readonly content: Uint8Array; readonly found: readonly string[] }
  | { readonly kind: 'unreadable' }

const replacement = Buffer.from(JSON.stringify(redactedValue))

/**
 * Replaces every value that a path names. Looks at bytes and changes no others: numbers keep their digits, names their escapes, spaces
 * their number; of a name that stands twice both values go. As strict as `JSON.parse`, and not deeper than memory allows.
 */
export function redactJson(bytes: Uint8Array, paths: readonly RedactionPath[]): RedactedJson {
  if (!isUtf8(bytes)) return { kind: 'unreadable' }
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const found = new Set<string>()
  const ranges = scan(buffer, createMatcher(paths, found))
  if (ranges === undefined) return { kind: 'unreadable' }
  return { kind: 'redacted', content: without(buffer, ranges), found: [...found] }
}

type Range = { readonly start: number; readonly end: number }

function without(buffer: Buffer, ranges: readonly Range[]): Uint8Array {
  if (ranges.length === 0) return buffer
  const parts: Uint8Array[] = []
  let copied = 0
  for (const { start, end } of ranges) {
    parts.push(buffer.subarray(copied, start), replacement)
    copied = end
  }
  return Buffer.concat([...parts, buffer.subarray(copied)])
}

/** An object or list whose end has not come yet. */
type Frame = {
  readonly isObject: boolean
  readonly start: number
  readonly place: Place
  /** Of the element that is being read. */
  index: number
}

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const backslash = 0x5c
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/** Where the values are that are to go, in their order; undefined if this is not JSON. Has a stack of its own: depth is the sender's choice. */
function scan(bytes: Buffer, matcher: ReturnType<typeof createMatcher>): readonly Range[] | undefined {
  const ranges: Range[] = []
  const frames: Frame[] = []
  let place = matcher.root
  let at = afterSpace(bytes, 0)

  for (;;) {
    const start = at
    const byte = bytes[at]
    if (byte === openBrace || byte === openBracket) {
      frames.push({ isObject: byte === openBrace, start, place, index: 0 })
      at = afterSpace(bytes, at + 1)
      if (bytes[at] !== (byte === openBrace ? closeBrace : closeBracket)) {
        if (!enterMember()) return undefined
        continue
      }
    } else {
      const end = endOfScalar(bytes, at)
      if (end === undefined) return undefined
      at = end
      if (place.isNamed) ranges.push({ start, end })
    }
    const outcome = leaveValues()
    if (outcome === 'done') return ranges
    if (outcome === 'malformed') return undefined
  }

  /** Goes to the value of the next member or element of the innermost frame. */
  function enterMember(): boolean {
    const frame = frames.at(-1)
    if (frame === undefined) return false
    if (!frame.isObject) {
      place = matcher.element(frame.place, frame.index)
      return true
    }
    const end = bytes[at] === quote ? endOfString(bytes, at) : undefined
    if (end === undefined) return false
    const name = at
    at = afterSpace(bytes, end)
    if (bytes[at] !== colon) return false
    place = matcher.member(frame.place, () => nameOf(bytes.subarray(name, end)))
    at = afterSpace(bytes, at + 1)
    return true
  }

  /** After a value: closes what ends with it, and goes on to what comes next. */
  function leaveValues(): 'next' | 'done' | 'malformed' {
    for (;;) {
      at = afterSpace(bytes, at)
      const frame = frames.at(-1)
      if (frame === undefined) return at === bytes.length ? 'done' : 'malformed'
      if (bytes[at] === (frame.isObject ? closeBrace : closeBracket)) {
        at += 1
        frames.pop()
        if (frame.place.isNamed) ranges.push({ start: frame.start, end: at })
        continue
      }
      if (bytes[at] !== comma) return 'malformed'
      frame.index += 1
      at = afterSpace(bytes, at + 1)
      return enterMember() ? 'next' : 'malformed'
    }
  }
}

function afterSpace(bytes: Buffer, start: number): number {
  let at = start
  for (;;) {
    const byte = bytes[at]
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return at
    at += 1
  }
}

function nameOf(quoted: Buffer): string {
  return quoted.includes(backslash)
    ? (JSON.parse(quoted.toString('utf8')) as string)
    : quoted.toString('utf8', 1, quoted.length - 1)
}

const literals = new Map(['true', 'false', 'null'].map((text) => [text.charCodeAt(0), Buffer.from(text)]))

function endOfScalar(bytes: Buffer, at: number): number | undefined {
  const first = bytes[at]
  if (first === quote) return endOfString(bytes, at)
  const literal = first === undefined ? undefined : literals.get(first)
  if (literal === undefined) return endOfNumber(bytes, at)
  return bytes.subarray(at, at + literal.length).equals(literal) ? at + literal.length : undefined
}

function endOfNumber(bytes: Buffer, at: number): number | undefined {
  let end = at
  while (isNumberByte(bytes[end])) end += 1
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(bytes.toString('latin1', at, end)) ? end : undefined
}

function isNumberByte(byte: number | undefined): boolean {
  if (byte === undefined) return false
  return (
    (byte >= 0x30 && byte <= 0x39) || byte === 0x2d || byte === 0x2b || byte === 0x2e || byte === 0x65 || byte === 0x45
  )
}

const escapes = new Set(Buffer.from('"\\/bfnrt'))

/** The end of the string that begins here, quotes included. */
function endOfString(bytes: Buffer, start: number): number | undefined {
  for (let at = start + 1; at < bytes.length; at += 1) {
    const byte = bytes[at] as number
    if (byte === quote) return at + 1
    if (byte < 0x20) return undefined
    if (byte !== backslash) continue
    at += 1
    const escape = bytes[at]
    if (escape === 0x75) {
      if (!/^[0-9a-fA-F]{4}$/.test(bytes.toString('latin1', at + 1, at + 5))) return undefined
      at += 4
    } else if (escape === undefined || !escapes.has(escape)) return undefined
  }
  return undefined
}
