import type { CallValue } from '../sql-client.ts'

/** What `pg` is told of a statement with values. */
type Binding = {
  readonly portal?: string
  readonly statement?: string | undefined
  readonly values?: readonly unknown[] | undefined
  readonly binary?: boolean
  /** Gives a value the form in which it is sent. Without it, all have that form. */
  readonly valueMapper?: (value: unknown, index: number) => unknown
}

/** A statement (`S`) or a portal (`P`). */
type Named = { readonly type: string; readonly name?: string }

/** Where bytes go to. */
export type ByteStream = {
  readonly writable?: boolean
  write(bytes: Buffer): unknown
  cork?(): void
  uncork?(): void
}

/**
 * Messages of PostgreSQL's protocol, one behind the other in memory and handed over together. `pg` hands each one to the socket by itself, which
 * takes longer than writing it.
 */
export class PgMessages {
  #bytes: Buffer
  #at = 0
  /** Large values are not copied: they stand beside the others, each with the place where it belongs. */
  readonly #large: { readonly at: number; readonly bytes: Buffer }[] = []
  #largeBytes = 0

  constructor() {
    this.#bytes = spare ?? Buffer.allocUnsafeSlow(firstBytes)
    // Whoever writes while this one is being written has memory of its own.
    spare = undefined
  }

  parse({ name, text, types }: { readonly name?: string; readonly text: string; readonly types?: unknown }): void {
    const start = this.#begin(letters.parse)
    this.#name(name ?? '')
    this.#name(text)
    const given = Array.isArray(types) ? (types as readonly number[]) : []
    this.#int16(given.length)
    for (const type of given) this.#int32(type)
    this.#end(start, this.#largeBytes)
  }

  /** Throws what `valueMapper` throws, and then it is as if it had not been called. */
  bind({ portal, statement, values = [], binary, valueMapper }: Binding): void {
    const largeBytes = this.#largeBytes
    const large = this.#large.length
    const start = this.#begin(letters.bind)
    try {
      this.#name(portal ?? '')
      this.#name(statement ?? '')
      this.#int16(values.length)
      const formats = this.#reserve(2 * values.length)
      this.#int16(values.length)
      for (let index = 0; index < values.length; index += 1) {
        const value = valueMapper === undefined ? values[index] : valueMapper(values[index], index)
        const format = this.#value(value as CallValue | undefined)
        this.#bytes[formats + 2 * index] = 0
        this.#bytes[formats + 2 * index + 1] = format
      }
      this.#int16(1)
      this.#int16(binary === true ? 1 : 0)
      this.#end(start, largeBytes)
    } catch (error) {
      this.#at = start
      this.#large.length = large
      this.#largeBytes = largeBytes
      throw error
    }
  }

  describe({ type, name = '' }: Named): void {
    this.#named(letters.describe, type + name)
  }

  close({ type, name = '' }: Named): void {
    this.#named(letters.close, type + name)
  }

  execute({ portal, rows }: { readonly portal?: string; readonly rows?: number }): void {
    const start = this.#begin(letters.execute)
    this.#name(portal ?? '')
    this.#int32(rows ?? 0)
    this.#end(start, this.#largeBytes)
  }

  sync(): void {
    this.#end(this.#begin(letters.sync), this.#largeBytes)
  }

  /** Hands all of them over. They must not be used any more. */
  send(stream: ByteStream): void {
    if (stream.writable !== false) {
      if (this.#large.length === 0) stream.write(this.#copy(0, this.#at))
      else this.#sendParts(stream)
    }
    if (this.#bytes.length <= mostKeptBytes) spare = this.#bytes
  }

  #sendParts(stream: ByteStream): void {
    stream.cork?.()
    let from = 0
    for (const { at, bytes } of this.#large) {
      stream.write(this.#copy(from, at))
      stream.write(bytes)
      from = at
    }
    stream.write(this.#copy(from, this.#at))
    stream.uncork?.()
  }

  /** The stream may hold it for as long as it likes. */
  #copy(from: number, to: number): Buffer {
    return Buffer.from(this.#bytes.subarray(from, to))
  }

  #named(letter: number, name: string): void {
    const start = this.#begin(letter)
    this.#name(name)
    this.#end(start, this.#largeBytes)
  }

  /** Answers with the place of the message, whose length is written when it has ended. */
  #begin(letter: number): number {
    const start = this.#reserve(5)
    this.#bytes[start] = letter
    return start
  }

  /** `largeBytes`: as many as there were when it began. */
  #end(start: number, largeBytes: number): void {
    this.#bytes.writeInt32BE(this.#at - start - 1 + this.#largeBytes - largeBytes, start + 1)
  }

  /** Answers with its format: 1 for bytes as they are, 0 for text. */
  #value(value: CallValue | undefined): 0 | 1 {
    if (value === null || value === undefined) {
      this.#int32(-1)
      return 0
    }
    if (typeof value === 'string') {
      const place = this.#reserve(4)
      this.#text(value)
      this.#bytes.writeInt32BE(this.#at - place - 4, place)
      return 0
    }
    this.#int32(value.length)
    if (value.length < largeFrom) {
      const at = this.#reserve(value.length)
      value.copy(this.#bytes, at)
    } else {
      this.#large.push({ at: this.#at, bytes: value })
      this.#largeBytes += value.length
    }
    return 1
  }

  /** Ends with a zero, as all names do. */
  #name(name: string): void {
    if (name !== '') this.#text(name)
    const at = this.#reserve(1)
    this.#bytes[at] = 0
  }

  #text(text: string): void {
    // No character has more than three bytes for each of its parts; counting them pays for long texts only.
    const at = this.#reserve(text.length < largeFrom ? 3 * text.length : Buffer.byteLength(text))
    this.#at = at + this.#bytes.write(text, at, 'utf8')
  }

  #int16(number: number): void {
    const at = this.#reserve(2)
    this.#bytes[at] = number >> 8
    this.#bytes[at + 1] = number
  }

  #int32(number: number): void {
    const at = this.#reserve(4)
    this.#bytes[at] = number >> 24
    this.#bytes[at + 1] = number >> 16
    this.#bytes[at + 2] = number >> 8
    this.#bytes[at + 3] = number
  }

  /** Room for so many bytes, from the place that it answers with. */
  #reserve(bytes: number): number {
    const at = this.#at
    this.#at = at + bytes
    if (this.#at > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(2 * this.#at)
      this.#bytes.copy(larger, 0, 0, at)
      this.#bytes = larger
    }
    return at
  }
}

const letters = { parse: 0x50, bind: 0x42, describe: 0x44, close: 0x43, execute: 0x45, sync: 0x53 }

const firstBytes = 16_384

/** From here on, a write of its own is cheaper than a copy. */
const largeFrom = 16_384

/** What the largest messages took is not kept. */
const mostKeptBytes = 262_144

/** The memory of the last messages, for the next. */
let spare: Buffer | undefined
