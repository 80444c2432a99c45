import type { CaptureIdentity } from '../store/capture-store.ts'
import { compareHeaders, type HeaderDifference } from './compare-headers.ts'
import { compareJson, type Difference, type Differences } from './compare-json.ts'
import { type ExactJson, exactText, readExactJson } from './exact-json.ts'
import type { Original, OriginalKey } from './original.ts'
import { type IdentityFinding, judge } from './verdict.ts'

/** Two to five deliveries side by side. Values are in the order of the items. */
export type Comparison = {
  readonly items: readonly ComparedItem[]
  readonly identity: IdentityFinding
  readonly areBytesEqual: boolean
  /** Only those that differ. */
  readonly headers: readonly HeaderDifference[]
  readonly body: readonly Difference[]
  /** Whether there are more differences than `body` tells. */
  readonly isTruncated: boolean
  readonly timing: readonly ComparedTime[]
}

/** One of the requests that are compared. */
export type ComparedItem = OriginalKey & {
  readonly name: string
  readonly at: Date
  readonly method: string
  readonly path: string
  readonly bytes: number
  readonly identity: CaptureIdentity | undefined
}

/** In the order of time; `place` is that among the items, from 1. */
export type ComparedTime = {
  readonly place: number
  readonly sinceFirstMilliseconds: number
  readonly sincePreviousMilliseconds: number
}

/** Compares what was kept of deliveries. */
export function compareOriginals(originals: readonly Original[]): Comparison {
  const [first] = originals
  const areBytesEqual = originals.every(({ content }) => Buffer.compare(content, first?.content ?? content) === 0)
  const documents = originals.map(documentOf)
  const areReadable = documents.every((document) => document !== undefined)
  const { differences, isTruncated } = areReadable ? compareJson(documents) : compareBytes(originals, areBytesEqual)
  const headers = compareHeaders(originals.map((original) => original.headers))
  const texts = areReadable ? documents.map(exactText) : []
  const areDocumentsEqual = areBytesEqual || (areReadable && texts.every((text) => text === texts[0]))
  return {
    items: originals.map(({ kind, id, name, at, method, path, content, identity }) => ({
      kind,
      id,
      name,
      at,
      method,
      path,
      bytes: content.byteLength,
      identity,
    })),
    identity: judge({
      identities: originals.map(({ identity }) => identity),
      areBytesEqual,
      areDocumentsEqual,
      headers,
      paths: areReadable ? differences.map(({ path }) => path) : [],
    }),
    areBytesEqual,
    headers,
    body: differences,
    isTruncated,
    timing: timingOf(originals),
  }
}

/** JSON, or the fields of a form. */
function documentOf({ content, headers }: Original): ExactJson | undefined {
  const document = readExactJson(content)
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  if (document !== undefined || !/^\s*application\/x-www-form-urlencoded\b/i.test(type)) return document
  const members = new Map<string, ExactJson>()
  for (const [name, value] of new URLSearchParams(Buffer.from(content).toString('utf8'))) {
    const before = members.get(name)
    const text: ExactJson = { kind: 'text', value }
    const items = before?.kind === 'list' ? [...before.items, text] : before === undefined ? undefined : [before, text]
    members.set(name, items === undefined ? text : { kind: 'list', items })
  }
  return { kind: 'object', members }
}

/** What cannot be taken apart differs as a whole; it is said from where on. */
function compareBytes(originals: readonly Original[], areEqual: boolean): Differences {
  if (areEqual) return { differences: [], isTruncated: false }
  const [first, ...others] = originals.map(({ content }) => content)
  const from = Math.min(...others.map((other) => firstDifference(first ?? other, other)))
  const values = originals.map(({ content }) => `${content.byteLength} bytes, different from byte ${from + 1} on`)
  return { differences: [{ path: '(bytes)', values }], isTruncated: false }
}

function firstDifference(one: Uint8Array, other: Uint8Array): number {
  const length = Math.min(one.length, other.length)
  for (let place = 0; place < length; place += 1) if (one[place] !== other[place]) return place
  return one.length === other.length ? Number.POSITIVE_INFINITY : length
}

function timingOf(originals: readonly Original[]): readonly ComparedTime[] {
  const sorted = originals
    .map(({ at }, index) => ({ at: at.getTime(), place: index + 1 }))
    .toSorted((one, other) => one.at - other.at)
  return sorted.map(({ at, place }, index) => ({
    place,
    sinceFirstMilliseconds: at - (sorted[0]?.at ?? at),
    sincePreviousMilliseconds: at - (sorted[index - 1]?.at ?? at),
  }))
}
