/** Reads the values of Kafka's protocol, one after another. https://kafka.apache.org/protocol */
export type WireReader = {
  readonly int8: () => number
  readonly int16: () => number
  readonly int32: () => number
  readonly int64: () => bigint
  readonly varint: () => number
  readonly bytes: (length: number) => Buffer
  /** Undefined for null. */
  readonly string: () => string | undefined
  readonly list: <Item>(read: () => Item) => readonly Item[]
}

export function wireReader(buffer: Buffer): WireReader {
  let position = 0
  const bytes = (length: number): Buffer => {
    position += length
    if (position > buffer.length) throw new RangeError('The message ends too early.')
    return buffer.subarray(position - length, position)
  }
  const varint = (): number => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes(1).readUInt8()
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) break
    }
    // Zigzag: the sign is the lowest bit.
    return Number((value >> 1n) ^ -(value & 1n))
  }
  const int16 = (): number => bytes(2).readInt16BE()
  const int32 = (): number => bytes(4).readInt32BE()
  return {
    int8: () => bytes(1).readInt8(),
    int16,
    int32,
    int64: () => bytes(8).readBigInt64BE(),
    varint,
    bytes,
    string: () => {
      const length = int16()
      return length < 0 ? undefined : bytes(length).toString('utf8')
    },
    list: (read) => Array.from({ length: Math.max(0, int32()) }, read),
  }
}

/** One record of a batch. */
export type KafkaRecord = {
  readonly key: string
  readonly value: string
  readonly headers: Readonly<Record<string, string>>
}

export type RecordBatch = {
  readonly producerId: bigint
  readonly firstSequence: number
  readonly records: readonly KafkaRecord[]
}

/** A record batch of version 2, uncompressed. The check sum is not looked at. */
export function readRecordBatch(buffer: Buffer): RecordBatch {
  const { int8, int16, int32, int64, bytes, list, varint } = wireReader(buffer)
  bytes(8 + 4 + 4)
  if (int8() !== 2) throw new Error('Only record batches of version 2 can carry headers.')
  bytes(4)
  if ((int16() & 7) !== 0) throw new Error('Compressed batches are not understood.')
  bytes(4 + 8 + 8)
  const producerId = int64()
  int16()
  const firstSequence = int32()
  const text = (): string => bytes(Math.max(0, varint())).toString('utf8')
  const records = list(() => {
    varint()
    int8()
    varint()
    varint()
    const key = text()
    const value = text()
    const headers = Array.from({ length: varint() }, () => [text(), text()] as const)
    return { key, value, headers: Object.fromEntries(headers) }
  })
  return { producerId, firstSequence, records }
}

export function int8(value: number): Buffer {
  const buffer = Buffer.alloc(1)
  buffer.writeInt8(value)
  return buffer
}

export function int16(value: number): Buffer {
  const buffer = Buffer.alloc(2)
  buffer.writeInt16BE(value)
  return buffer
}

export function int32(value: number): Buffer {
  const buffer = Buffer.alloc(4)
  buffer.writeInt32BE(value)
  return buffer
}

export function int64(value: bigint): Buffer {
  const buffer = Buffer.alloc(8)
  buffer.writeBigInt64BE(value)
  return buffer
}

/** Null if undefined. */
export function string(value: string | undefined): Buffer {
  return value === undefined ? int16(-1) : Buffer.concat([int16(Buffer.byteLength(value)), Buffer.from(value)])
}

export function list(items: readonly Buffer[]): Buffer {
  return Buffer.concat([int32(items.length), ...items])
}
