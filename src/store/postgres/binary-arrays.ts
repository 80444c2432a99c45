/** What an element may be, by the type that PostgreSQL is told. */
export type Elements = {
  readonly text: string
  readonly bytea: Uint8Array
  readonly uuid: string
  readonly timestamptz: Date
  readonly int2: number
  readonly int4: number
  readonly float8: number
  /** As digits: it may be beyond 2^53. */
  readonly int8: string
}

type Encoding<Element> = {
  /** The number by which PostgreSQL knows the type. */
  readonly type: number
  readonly sizeOf: (element: Element) => number
  /** Writes the element into the array, of whose bytes it has `size`. */
  readonly write: (array: Buffer, element: Element, at: number, size: number) => void
}

const encodings: { readonly [Type in keyof Elements]: Encoding<Elements[Type]> } = {
  text: {
    type: 25,
    sizeOf: (text) => Buffer.byteLength(text, 'utf8'),
    write: (array, text, at) => void array.write(text, at, 'utf8'),
  },
  bytea: { type: 17, sizeOf: (bytes) => bytes.byteLength, write: (array, bytes, at) => array.set(bytes, at) },
  uuid: { type: 2950, sizeOf: () => 16, write: writeUuid },
  timestamptz: { type: 1184, sizeOf: () => 8, write: writeTime },
  int2: { type: 21, sizeOf: () => 2, write: (array, number, at) => void array.writeInt16BE(number, at) },
  int4: { type: 23, sizeOf: () => 4, write: (array, number, at) => void array.writeInt32BE(number, at) },
  float8: { type: 701, sizeOf: () => 8, write: (array, number, at) => void array.writeDoubleBE(number, at) },
  int8: { type: 20, sizeOf: () => 8, write: (array, digits, at) => void array.writeBigInt64BE(BigInt(digits), at) },
}

/**
 * An array as PostgreSQL itself writes it. As text, every quote and backslash of an element is escaped here and unescaped there, and
 * every byte of a body becomes two digits: for bodies of kilobytes that is half of the work of a write.
 */
export function binaryArray<Type extends keyof Elements>(
  type: Type,
  elements: readonly (Elements[Type] | null)[],
): Buffer {
  const encoding: Encoding<Elements[Type]> = encodings[type]
  const sizes = elements.map((element) => (element === null ? absent : encoding.sizeOf(element)))
  let bytes = headerBytes
  for (const size of sizes) bytes += 4 + Math.max(0, size)
  const array = Buffer.allocUnsafe(bytes)
  let at = array.writeInt32BE(1, 0)
  at = array.writeInt32BE(Number(sizes.includes(absent)), at)
  at = array.writeInt32BE(encoding.type, at)
  at = array.writeInt32BE(elements.length, at)
  at = array.writeInt32BE(1, at)
  for (let index = 0; index < elements.length; index += 1) {
    const size = sizes[index] ?? absent
    const element = elements[index] ?? null
    at = array.writeInt32BE(size, at)
    if (element === null) continue
    encoding.write(array, element, at, size)
    at += size
  }
  return array
}

/** Dimensions, whether there are nulls, the type, and the length and first index of the one dimension. */
const headerBytes = 20

/** The size of a null. */
const absent = -1

const notADigit = 16

/** The value of each character that is a hexadecimal digit. */
const digitValues = Uint8Array.from({ length: 128 }, (_, code) => {
  const value = Number.parseInt(String.fromCharCode(code), 16)
  return Number.isNaN(value) ? notADigit : value
})

/** Digit by digit: every delivery has two, and each call into Node would cost more than all of the digits. */
function writeUuid(array: Buffer, id: string, at: number): void {
  let digits = 0
  let high = 0
  for (let index = 0; index < id.length; index += 1) {
    const code = id.charCodeAt(index)
    if (code === dash) continue
    const value = digitValues[code] ?? notADigit
    // Memory that was not written over could hold anything.
    if (value === notADigit || digits === 32) throw new TypeError(`${id} is not a UUID.`)
    if (digits % 2 === 0) high = value << 4
    else array[at + (digits >> 1)] = high | value
    digits += 1
  }
  if (digits !== 32) throw new TypeError(`${id} is not a UUID.`)
}

const dash = 0x2d

const unixTimeOf2000 = 946_684_800_000

/** Microseconds since 2000, in two halves: together they fit into a JavaScript number, but not into a function that writes one. */
function writeTime(array: Buffer, time: Date, at: number): void {
  const microseconds = (time.getTime() - unixTimeOf2000) * 1000
  const high = Math.floor(microseconds / 2 ** 32)
  array.writeInt32BE(high, at)
  array.writeUInt32BE(microseconds - high * 2 ** 32, at + 4)
}

/** The same bytes as what `pg` sends as bytes. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
