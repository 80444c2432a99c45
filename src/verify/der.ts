/** One item of DER: its tag and what is inside. */
export type DerItem = { readonly tag: number; readonly content: Uint8Array }

export const derTag = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const

/** The items that follow each other in these bytes; undefined if they are not exactly that. Tags beyond one byte are not read. */
export function readDer(bytes: Uint8Array): readonly DerItem[] | undefined {
  const items: DerItem[] = []
  let index = 0
  while (index < bytes.length) {
    const tag = bytes[index] as number
    const length = readLength(bytes, index + 1)
    if ((tag & 0x1f) === 0x1f || length === undefined) return undefined
    const end = length.contentAt + length.size
    if (end > bytes.length) return undefined
    items.push({ tag, content: bytes.subarray(length.contentAt, end) })
    index = end
  }
  return items
}

/** An item of these parts. */
export function writeDer(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.of(tag), writeLength(content.length), content])
}

/** The content of an object identifier such as `1.2.840.10045.4.3.2`. */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return Buffer.from([first * 40 + second, ...rest].flatMap(base128))
}

function base128(value: number): readonly number[] {
  const digits = [value % 128]
  for (let left = Math.floor(value / 128); left > 0; left = Math.floor(left / 128)) digits.unshift((left % 128) + 128)
  return digits
}

function readLength(bytes: Uint8Array, at: number): { readonly size: number; readonly contentAt: number } | undefined {
  const first = bytes[at]
  if (first === undefined) return undefined
  if (first < 0x80) return { size: first, contentAt: at + 1 }
  const count = first - 0x80
  if (count === 0 || count > 3 || at + count >= bytes.length) return undefined
  let size = 0
  for (let index = at + 1; index <= at + count; index += 1) size = size * 256 + (bytes[index] as number)
  return { size, contentAt: at + 1 + count }
}

function writeLength(size: number): Buffer {
  if (size < 0x80) return Buffer.of(size)
  const digits: number[] = []
  for (let left = size; left > 0; left = Math.floor(left / 256)) digits.unshift(left % 256)
  return Buffer.of(0x80 + digits.length, ...digits)
}
