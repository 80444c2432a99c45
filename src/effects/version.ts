/** Something that can only rise: a time, a whole number, a text, or several of these, of which the first that differs decides. */
export type Version = SimpleVersion | readonly SimpleVersion[]

type SimpleVersion = Date | number | bigint | string

/** How texts are compared. `text`: by code point, as for ISO dates and ULIDs. `natural`: numbers in them by value, so that v10 is after v9. */
export type TextOrder = 'text' | 'natural'

/** A version as it is stored: of one kind, and a text whose code points sort as the versions do. */
export type EncodedVersion = { readonly kind: string; readonly text: string }

/** Undefined if it is no version: a fraction, not a number, an invalid date, an empty list. Versions of other kinds cannot be compared. */
export function encodeVersion(version: Version, textOrder: TextOrder = 'text'): EncodedVersion | undefined {
  if (!isList(version)) return encodeSimple(version, textOrder)
  const parts: EncodedVersion[] = []
  for (const part of version) {
    const encoded = encodeSimple(part, textOrder)
    if (encoded === undefined) return undefined
    parts.push(encoded)
  }
  if (parts.length === 0) return undefined
  const kind = `list of ${parts.map((part) => part.kind).join(', ')}`
  return { kind, text: parts.map(({ text }) => escaped(text) + endOfPart).join('') }
}

/** As people gave it, for the timeline. */
export function showVersion(version: Version): string {
  const show = (part: SimpleVersion): string => (part instanceof Date ? part.toISOString() : String(part))
  return (isList(version) ? version.map(show).join(', ') : show(version)).slice(0, 500)
}

function encodeSimple(version: SimpleVersion, textOrder: TextOrder): EncodedVersion | undefined {
  if (version instanceof Date) {
    const time = version.getTime()
    return Number.isNaN(time) ? undefined : { kind: 'date', text: encodeWhole(BigInt(time)) }
  }
  if (typeof version === 'bigint') return { kind: 'number', text: encodeWhole(version) }
  if (typeof version === 'number') {
    return Number.isSafeInteger(version) ? { kind: 'number', text: encodeWhole(BigInt(version)) } : undefined
  }
  if (typeof version !== 'string' || version.includes('\u0000') || !version.isWellFormed()) return undefined
  if (textOrder === 'text') return { kind: 'text', text: version }
  return { kind: 'natural text', text: version.replaceAll(/\d+/g, (digits) => encodeWhole(BigInt(digits))) }
}

/** Sign, number of digits, digits: so that a longer number sorts after a shorter one. Negative ones are mirrored. */
function encodeWhole(value: bigint): string {
  const digits = String(value < 0n ? -value : value)
  const length = String(digits.length).padStart(4, '0')
  if (value >= 0n) return `1${length}${digits}`
  return `0${mirrored(length)}${mirrored(digits)}`
}

function mirrored(digits: string): string {
  return Array.from(digits, (digit) => String(9 - Number(digit))).join('')
}

/** The end of a part and the sign that what follows is not one: both below every character that matters. */
const endOfPart = '\u0001'
const escape = '\u0002'

function escaped(text: string): string {
  return text.replaceAll(escape, escape + escape).replaceAll(endOfPart, escape + endOfPart)
}

function isList(version: Version): version is readonly SimpleVersion[] {
  return Array.isArray(version)
}
