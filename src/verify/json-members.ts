import { isAscii, isUtf8 } from 'node:buffer'
import { type ParsedJson, parseExactly, parseJson } from './json.ts'
import { findMembers, type Places, type WantedMember } from './json-places.ts'
import type { Malformed } from './verdict.ts'

/** The members that are asked for, by number, and where they were found last. The root is the document itself. */
export type WantedMembers = {
  readonly root: WantedMember
  readonly all: readonly WantedMember[]
  readonly places: Places
}

const quote = 0x22
const backslash = 0x5c
const openBrace = 0x7b

/** Prepares paths such as `data.object.id` for `readMembers`, once for all documents. */
export function wantMembers(paths: readonly string[]): WantedMembers {
  const all: WantedMember[] = []
  const root = addMember({ all, parent: undefined, name: '', rests: paths.map((path) => path.split('.')) })
  return { root, all, places: { starts: new Int32Array(all.length), ends: new Int32Array(all.length) } }
}

type MemberToAdd = {
  readonly all: WantedMember[]
  readonly parent: WantedMember | undefined
  readonly name: string
  /** What remains of the paths through this member; one of which nothing remains wants the whole. */
  readonly rests: readonly (readonly string[])[]
}

function addMember({ all, parent, name, rests }: MemberToAdd): WantedMember {
  const children: WantedMember[] = []
  const index = all.length
  const member = { name, nameJson: Buffer.from(JSON.stringify(name)), parent, children, index, end: index + 1 }
  all.push(member)
  const names = rests.some((rest) => rest.length === 0) ? [] : new Set(rests.map(([first = '']) => first))
  for (const child of names) {
    const below = rests.filter(([first]) => first === child).map((rest) => rest.slice(1))
    children.push(addMember({ all, parent: member, name: child, rests: below }))
  }
  member.end = all.length
  return member
}

/**
 * Reads untrusted bytes as `parseJson` does, and refuses the same with the same words, but builds only the wanted members: the document
 * holds them at their places and nothing else. `field` finds in it what it would find in the whole.
 */
export function readMembers(bytes: Uint8Array, wanted: WantedMembers): ParsedJson | Malformed {
  const isPlain = isAscii(bytes)
  const body = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const isFound = (isPlain || isUtf8(bytes)) && findMembers(body, wanted.root, wanted.places)
  // Refused is just what `parseJson` refuses, and it knows the reason.
  if (!isFound) return parseJson(bytes)
  return { kind: 'parsed', document: buildDocument(body, wanted, isPlain ? 'latin1' : 'utf8') }
}

/** Parents come before their children. */
function buildDocument(body: Buffer, { all, places }: WantedMembers, encoding: Encoding): unknown {
  const values: unknown[] = []
  for (const { index, name, parent, children } of all) {
    const start = places.starts[index] as number
    // What is no object where one was expected is kept whole: `field` also goes through lists.
    const isOnTheWay = children.length > 0 && body[start] === openBrace
    const value =
      start < 0 ? undefined : isOnTheWay ? {} : valueAt(body, encoding, [start, places.ends[index] as number])
    values.push(value)
    if (start >= 0 && parent !== undefined) setMember(values[parent.index] as object, name, value)
  }
  return values[0]
}

/** Latin-1 for plain ASCII, which Node copies where it would have to decode. */
type Encoding = 'latin1' | 'utf8'

function valueAt(body: Buffer, encoding: Encoding, [start, end]: readonly [start: number, end: number]): unknown {
  if (body[start] !== quote) return shortNumber(body, start, end) ?? parseExactly(body.toString(encoding, start, end))
  for (let at = start; at < end; at += 1) {
    if (body[at] === backslash) return JSON.parse(body.toString(encoding, start, end))
  }
  return body.toString(encoding, start + 1, end - 1)
}

/** A time or an id of a few digits, which is cheaper to add up than to make a text of and to parse. All of up to 15 are exact. */
function shortNumber(body: Buffer, start: number, end: number): number | undefined {
  if (end - start > 15) return undefined
  let value = 0
  for (let at = start; at < end; at += 1) {
    const digit = (body[at] as number) - 0x30
    if (digit < 0 || digit > 9) return undefined
    value = value * 10 + digit
  }
  return value
}

/** Assigning `__proto__` would change what the object inherits, where JSON means a member like any other. */
function setMember(target: object, name: string, value: unknown): void {
  if (name !== '__proto__') (target as Record<string, unknown>)[name] = value
  else Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true })
}
