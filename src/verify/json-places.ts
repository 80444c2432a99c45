import { deepestLevel } from './json.ts'
import { byteAt, endOfNumber, endOfSpace, endOfString, endOfWord, isAt } from './json-tokens.ts'

/** A member of a document that somebody asks for, or that is on the way to one. */
export type WantedMember = {
  readonly name: string
  /** The name as JSON, with its quotes. */
  readonly nameJson: Uint8Array
  readonly parent: WantedMember | undefined
  /** Empty if all of the member is wanted. */
  readonly children: readonly WantedMember[]
  /** Its number. Those below it have the numbers up to `end`. */
  readonly index: number
  readonly end: number
}

/** Where the members with these numbers stand in the bytes: from, and up to. A start of -1 says that there is none. */
export type Places = { readonly starts: Int32Array; readonly ends: Int32Array }

const quote = 0x22
const comma = 0x2c
const minus = 0x2d
const colon = 0x3a
const backslash = 0x5c
const openBracket = 0x5b
const openBrace = 0x7b
const closeBrace = 0x7d

/** How each open object or list has to close. Shared by all calls, because each ends before the next starts. */
const closings = new Uint8Array(deepestLevel + 1)

/**
 * Checks that the bytes are one JSON document, and notes where the wanted members are; of several with one name, the last. The place of
 * an object that is only on the way has no end. UTF-8 is left to the caller. One pass, without recursion and without a copy of anything.
 * It is one long function because its steps share all of this, and handing it on would cost more than the steps.
 */
export function findMembers(bytes: Uint8Array, root: WantedMember, { starts, ends }: Places): boolean {
  let at = endOfSpace(bytes, 0)
  let depth = 0
  // The innermost object whose members may be wanted: below it, everything is passed over.
  let way: WantedMember | undefined
  let wayDepth = 0
  let whole: WantedMember | undefined
  let wholeDepth = 0
  let member: WantedMember | undefined = root
  for (;;) {
    if (closings[depth] === closeBrace) {
      const end = byteAt(bytes, at) === quote ? endOfString(bytes, at) : -1
      if (end < 0) return false
      if (depth === wayDepth) member = childNamed(way, bytes, at, end)
      at = endOfSpace(bytes, end)
      if (byteAt(bytes, at) !== colon) return false
      at = endOfSpace(bytes, at + 1)
    }

    const first = byteAt(bytes, at)
    if (member !== undefined) startMember(member, at, starts)
    if (first === openBrace || first === openBracket) {
      if (depth === deepestLevel) return false
      depth += 1
      // In ASCII, an opening bracket and its closing one are two apart.
      closings[depth] = first + 2
      if (member !== undefined && member.children.length > 0 && first === openBrace) {
        way = member
        wayDepth = depth
      } else if (member !== undefined) {
        whole = member
        wholeDepth = depth
      }
      member = undefined
      at = endOfSpace(bytes, at + 1)
      if (byteAt(bytes, at) !== first + 2) continue
    } else {
      at = endOfScalar(bytes, at, first)
      if (at < 0) return false
      if (member !== undefined) ends[member.index] = at
      member = undefined
      at = endOfSpace(bytes, at)
    }

    for (; depth > 0 && byteAt(bytes, at) === closings[depth]; depth -= 1) {
      at += 1
      if (depth === wholeDepth && whole !== undefined) {
        ends[whole.index] = at
        wholeDepth = 0
      }
      if (depth === wayDepth) {
        way = way?.parent
        wayDepth -= 1
      }
      at = endOfSpace(bytes, at)
    }
    if (depth === 0) return at === bytes.length
    if (byteAt(bytes, at) !== comma) return false
    at = endOfSpace(bytes, at + 1)
  }
}

/** What was found below an earlier member of the same name is forgotten with it. */
function startMember({ index, end, children }: WantedMember, at: number, starts: Int32Array): void {
  if (children.length > 0) starts.fill(-1, index, end)
  starts[index] = at
}

function endOfScalar(bytes: Uint8Array, at: number, first: number): number {
  if (first === quote) return endOfString(bytes, at)
  if (first === minus || (first >= 0x30 && first <= 0x39)) return endOfNumber(bytes, at)
  return endOfWord(bytes, at)
}

/** The child whose name is the string from quote to quote. */
function childNamed(
  parent: WantedMember | undefined,
  bytes: Uint8Array,
  start: number,
  end: number,
): WantedMember | undefined {
  if (parent === undefined) return undefined
  for (const child of parent.children) {
    if (child.nameJson.length === end - start && isAt(bytes, start, child.nameJson)) return child
  }
  // A name can be written with escapes, which hardly anybody does.
  for (let at = start; at < end; at += 1) {
    if (bytes[at] === backslash) return childOfText(parent, bytes.subarray(start, end))
  }
  return undefined
}

function childOfText({ children }: WantedMember, json: Uint8Array): WantedMember | undefined {
  const name: unknown = JSON.parse(Buffer.from(json).toString('utf8'))
  return children.find((child) => child.name === name)
}
