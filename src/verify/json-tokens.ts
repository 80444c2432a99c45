/**
 * The strings, numbers and words of JSON, as bytes. Each function gets the place where one starts and gives the place behind it, or -1
 * if it is none. None reads past the end, where a typed array has `undefined` and V8 would leave its fast path for good.
 */

const quote = 0x22
const backslash = 0x5c
const lowerU = 0x75

/** 1 for a byte that stands for itself inside a string: no quote, no backslash, no control character. */
const plainBytes = new Uint8Array(256).fill(1, 0x20)
plainBytes[quote] = 0
plainBytes[backslash] = 0

/** 1 for a byte that may follow a backslash; `u` wants four digits more. */
const escapedBytes = new Uint8Array(256)
for (const byte of Buffer.from('"\\/bfnrtu')) escapedBytes[byte] = 1

const hexDigits = new Uint8Array(256)
for (const byte of Buffer.from('0123456789abcdefABCDEF')) hexDigits[byte] = 1

/** `start` is the opening quote. */
export function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1
  for (;;) {
    at = endOfPlain(bytes, at)
    const byte = byteAt(bytes, at)
    if (byte === quote) return at + 1
    if (byte !== backslash) return -1
    at = endOfEscape(bytes, at)
    if (at < 0) return -1
  }
}

/** Four at a time, because most of a body is inside strings: one by one, the whole reading takes a quarter longer. */
function endOfPlain(bytes: Uint8Array, start: number): number {
  const lastFour = bytes.length - 4
  let at = start
  for (; at <= lastFour; at += 4) {
    if (isPlain(bytes, at) === 0) return at
    if (isPlain(bytes, at + 1) === 0) return at + 1
    if (isPlain(bytes, at + 2) === 0) return at + 2
    if (isPlain(bytes, at + 3) === 0) return at + 3
  }
  while (at < bytes.length && isPlain(bytes, at) === 1) at += 1
  return at
}

function isPlain(bytes: Uint8Array, at: number): number {
  return plainBytes[bytes[at] as number] as number
}

function endOfEscape(bytes: Uint8Array, start: number): number {
  const end = start + (byteAt(bytes, start + 1) === lowerU ? 6 : 2)
  if (end > bytes.length || escapedBytes[bytes[start + 1] as number] === 0) return -1
  for (let at = start + 2; at < end; at += 1) if (hexDigits[bytes[at] as number] === 0) return -1
  return end
}

/** `start` is a digit or a minus. */
export function endOfNumber(bytes: Uint8Array, start: number): number {
  let at = bytes[start] === 0x2d ? start + 1 : start
  // A zero is the whole of its whole part: 01 is no number.
  at = byteAt(bytes, at) === 0x30 ? at + 1 : endOfDigits(bytes, at)
  if (at >= 0 && byteAt(bytes, at) === 0x2e) at = endOfDigits(bytes, at + 1)
  if (at >= 0 && (byteAt(bytes, at) | 0x20) === 0x65) {
    const sign = byteAt(bytes, at + 1)
    at = endOfDigits(bytes, sign === 0x2b || sign === 0x2d ? at + 2 : at + 1)
  }
  return at
}

/** At least one digit. */
function endOfDigits(bytes: Uint8Array, start: number): number {
  let at = start
  while (at < bytes.length && isDigit(bytes[at] as number)) at += 1
  return at > start ? at : -1
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39
}

const trueWord = Buffer.from('true')
const falseWord = Buffer.from('false')
const nullWord = Buffer.from('null')

/** `true`, `false` or `null`. */
export function endOfWord(bytes: Uint8Array, start: number): number {
  const first = byteAt(bytes, start)
  const word = first === 0x74 ? trueWord : first === 0x66 ? falseWord : nullWord
  return isAt(bytes, start, word) ? start + word.length : -1
}

/** Whether these bytes stand at this place. */
export function isAt(bytes: Uint8Array, start: number, expected: Uint8Array): boolean {
  if (start + expected.length > bytes.length) return false
  for (let index = 0; index < expected.length; index += 1) if (bytes[start + index] !== expected[index]) return false
  return true
}

/** The place of the next byte that is no white space. */
export function endOfSpace(bytes: Uint8Array, start: number): number {
  let at = start
  while (at < bytes.length && isSpace(bytes[at] as number)) at += 1
  return at
}

/** The first comparison settles it for nearly all bytes. */
function isSpace(byte: number): boolean {
  return byte <= 0x20 && (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09)
}

/** The byte at a place; 0, which is nowhere allowed, past the end. */
export function byteAt(bytes: Uint8Array, at: number): number {
  return at < bytes.length ? (bytes[at] as number) : 0
}
