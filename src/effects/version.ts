/** Something that can only rise: a time, a whole number, a text, or several of these, of which the first that differs decides. */
export type Version = SimpleVersion | readonly SimpleVersion[]

type SimpleVersion = Date | number | bigint | string

/** How texts are compared. `text`: by code point, as for ISO dates and ULIDs. `natural`: numbers in them by value, so that v10 is after v9. */
export type TextOrder = 'text' | 'natural'

/**
 * A text whose code points sort as the versions do. The first letter is the kind: versions of different kinds cannot be compared.
 * Undefined if it is no version: a fraction, not a number, an invalid date, an empty list.
 */
export function encodeVersion(version: Version, textOrder: TextOrder = 'text'): string | undefined {
  if (!isList(version)) return encodeSimple(version, textOrder)
  const parts = version.map((part) => encodeSimple(part, textOrder))
  if (parts.length === 0 || parts.includes(undefined)) return undefined
  const kinds = parts.map((part) => part?.slice(0, 1)).join('')
  // The kinds come first, so that lists of other shapes are not compared; each part ends below every character it can hold.
  return `l${kinds}${endOfPart}${parts.map((part) => escaped(part?.slice(1) ?? '') + endOfPart).join('')}`
}

/** As people gave it, for the timeline. */
export function showVersion(version: Version): string {
  const show = (part: SimpleVersion): string => (part instanceof Date ? part.toISOString() : String(part))
  return (isList(version) ? version.map(show).join(', ') : show(version)).slice(0, 500)
}

/** The part of an encoded version that must be equal for two of them to be comparable. */
function encodeSimple(version: SimpleVersion, textOrder: TextOrder): string | undefined {
  if (version instanceof Date) {
    const time = version.getTime()
    return Number.isNaN(time) ? undefined : `d${encodeWhole(BigInt(time))}`
  }
  if (typeof version === 'bigint') return `n${encodeWhole(version)}`
  if (typeof version === 'number') return Number.isSafeInteger(version) ? `n${encodeWhole(BigInt(version))}` : undefined
  if (typeof version !== 'string' || version.includes('\u0000') || !version.isWellFormed()) return undefined
  return textOrder === 'text'
    ? `s${version}`
    : `v${version.replaceAll(/\d+/g, (digits) => encodeWhole(BigInt(digits)))}`
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
