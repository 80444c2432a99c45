import { isAscii, isUtf8 } from 'node:buffer'
import type { Malformed } from './verdict.ts'

/** A parsed document. If read exactly, whole numbers beyond 2^53 are `bigint`, so that no digit of an id is lost. */
export type ParsedJson = { readonly kind: 'parsed'; readonly document: unknown }

/** Deeper than any real payload, and shallow enough for everything that later walks the document. */
export const deepestLevel = 512

const quote = 0x22
const backslash = 0x5c
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/**
 * Parses untrusted bytes. The details never quote the body. `plain` reads numbers as `JSON.parse` does, for those who expect
 * just that; `exact` is for ids.
 */
export function parseJson(bytes: Uint8Array, numbers: 'exact' | 'plain' = 'exact'): ParsedJson | Malformed {
  const text = decodeUtf8(bytes)
  if (text === undefined) return notUtf8
  return parseJsonText(text, numbers)
}

export const notUtf8: Malformed = { kind: 'malformed', detail: 'The body is not valid UTF-8.' }

/** The same of what is text already. */
export function parseJsonText(text: string, numbers: 'exact' | 'plain'): ParsedJson | Malformed {
  if (text === '') return malformed('The body is empty, where JSON was expected.')
  if (mayBeDeep(text) && isDeeperThan(text, deepestLevel)) {
    return malformed(`The JSON is nested deeper than ${deepestLevel} levels.`)
  }
  if (text.startsWith('\ufeff')) return malformed('The body starts with a byte order mark, which JSON does not allow.')
  try {
    return { kind: 'parsed', document: numbers === 'plain' ? JSON.parse(text) : parseExactly(text) }
  } catch {
    return malformed('The body is not valid JSON.')
  }
}

/** The text of strictly valid UTF-8, or undefined. Most bodies are plain ASCII, which Node copies where it would have to decode. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  const isPlain = isAscii(bytes)
  if (!isPlain && !isUtf8(bytes)) return undefined
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(isPlain ? 'latin1' : 'utf8')
}

/** Whether there are brackets enough. Most documents have few, and to look for the next one costs nothing beside parsing. */
function mayBeDeep(text: string): boolean {
  let count = 0
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      count += 1
      if (count > deepestLevel) return true
    }
  }
  return false
}

/** One pass, before anything that recurses sees the text. */
function isDeeperThan(text: string, limit: number): boolean {
  let depth = 0
  let isInString = false
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (isInString) {
      if (code === backslash) index += 1
      else if (code === quote) isInString = false
    } else if (code === quote) isInString = true
    else if (code === openBracket || code === openBrace) {
      depth += 1
      if (depth > limit) return true
    } else if (code === closeBracket || code === closeBrace) depth -= 1
  }
  return false
}

/** `JSON.parse` that keeps every digit: it would round whole numbers beyond 2^53, so they are carried through it as marked strings. */
export function parseExactly(text: string): unknown {
  const mark = hasLongNumber(text) ? unusedCharacter(text) : undefined
  if (mark === undefined) return JSON.parse(text)
  return JSON.parse(markLongNumbers(text, mark), (_name, value: unknown) =>
    typeof value === 'string' && value.startsWith(mark) ? wholeNumber(value.slice(1)) : value,
  )
}

/**
 * Whether there are 16 digits in a row. Such a row covers one of every 16 places, so that only these have to be looked at: a search of
 * every place would cost half as much as parsing.
 */
export function hasLongNumber(text: string): boolean {
  for (let place = 15; place < text.length; place += 16) {
    if (!isDigit(text.charCodeAt(place))) continue
    let first = place
    let last = place
    while (isDigit(text.charCodeAt(first - 1))) first -= 1
    while (isDigit(text.charCodeAt(last + 1))) last += 1
    if (last - first >= 15) return true
  }
  return false
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

/** A character that no string of the document can hold, neither as itself nor as an escape. */
function unusedCharacter(text: string): string | undefined {
  const used = new Set(
    Array.from(text.matchAll(/[\ue000-\uf8ff]|\\u([ef][0-9a-f]{3})/gi), ([itself, escaped]) =>
      escaped === undefined ? itself.charCodeAt(0) : Number.parseInt(escaped, 16),
    ),
  )
  for (let code = 0xe000; code <= 0xf8ff; code += 1) if (!used.has(code)) return String.fromCharCode(code)
  return undefined
}

/** Whole numbers of 16 digits and more, outside strings, become strings. What is not JSON stays that way. */
function markLongNumbers(text: string, mark: string): string {
  let marked = ''
  let copied = 0
  let index = 0
  while (index < text.length) {
    if (text[index] === '"') {
      index = endOfString(text, index)
      continue
    }
    const end = endOfNumber(text, index)
    const token = text.slice(index, end)
    if (end - index >= 16 && /^-?[1-9]\d{15,}$/.test(token) && !isName(text, end)) {
      marked += `${text.slice(copied, index)}"${mark}${token}"`
      copied = end
    }
    index = Math.max(end, index + 1)
  }
  return marked + text.slice(copied)
}

function endOfString(text: string, start: number): number {
  let index = start + 1
  while (index < text.length && text[index] !== '"') index += text[index] === '\\' ? 2 : 1
  return index + 1
}

function endOfNumber(text: string, start: number): number {
  let index = start
  while (index < text.length && '0123456789+-.eE'.includes(text[index] as string)) index += 1
  return index
}

/** A number in the place of a member's name is no JSON, and must not become it by being quoted. */
function isName(text: string, end: number): boolean {
  let index = end
  while (' \t\r\n'.includes(text[index] ?? '!')) index += 1
  return text[index] === ':'
}

function wholeNumber(digits: string): number | bigint {
  const value = Number(digits)
  return Number.isSafeInteger(value) ? value : BigInt(digits)
}

function malformed(detail: string): Malformed {
  return { kind: 'malformed', detail }
}
