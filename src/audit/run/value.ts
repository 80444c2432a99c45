import type { ClassNode, FunctionNode, Node } from '../syntax/ast.ts'

/** What is known of where a value comes from. */
export type Tag =
  | 'request'
  | 'headers'
  | 'response'
  /** A header that proves who sent it: a signature. */
  | 'signature'
  /** A header that is itself the secret. */
  | 'token'
  | 'secret'
  | 'event'
  /** Something inside the event. */
  | 'event-part'
  | 'event-id'
  /** The body after a parser has had it. */
  | 'parsed-body'
  /** What a framework keeps under `body`: bytes or an object, depending on what was mounted before. */
  | 'request-body'
  | 'raw-body'
  /** A parsed body that was made text again. */
  | 'written-again'
  | 'hmac'
  | 'hash'
  | 'digest'
  | 'body-hash'
  | 'environment'

/** What the truth of a value says about a row that was looked for or inserted: that there is one, or none. */
export type Meaning = 'present' | 'empty'

/** A function with the names it sees. */
export type Closure = {
  readonly kind: 'closure'
  readonly node: FunctionNode
  readonly scope: Scope
  readonly file: string
  readonly receiver?: Value
}

/** Names and what they stand for. `parent` is what is around it. */
export type Scope = { readonly names: Map<string, Cell>; readonly parent: Scope | undefined }

/** What a name stands for: a value, or something that is looked up when it is needed. */
export type Cell = { value: Value | undefined; readonly find?: () => Value }

export type ClassValue = { readonly node: ClassNode; readonly scope: Scope; readonly file: string }

/** What is known of a value without running anything. */
export type Value = {
  readonly tags: ReadonlySet<Tag>
  /** The steps whose outcome it tells, by number. */
  readonly about: ReadonlyMap<number, Meaning>
  /** Equal for what is the same thing. */
  readonly label?: string | undefined
  /** The thing it was got from, as a client is from its pool. */
  readonly from?: string | undefined
  readonly literal?: string | number | boolean | null
  readonly closure?: Closure
  readonly class?: ClassValue
  readonly instance?: ClassValue
  readonly members?: ReadonlyMap<string, Value>
  readonly items?: readonly Value[]
  /** The values in the holes of a template. */
  readonly holes?: readonly Value[]
  /** Whatever is sent through it is in this transaction. */
  readonly transaction?: number
  /** Given from outside, so nobody knows whether it is a transaction. */
  readonly isGiven?: true
  readonly node?: Node
}

export const unknown: Value = { tags: new Set(), about: new Map() }

export function tagged(...tags: readonly Tag[]): Value {
  return { ...unknown, tags: new Set(tags) }
}

export function withTags(value: Value, ...tags: readonly Tag[]): Value {
  return { ...value, tags: new Set([...value.tags, ...tags]) }
}

export function literal(value: string | number | boolean | null): Value {
  return { ...unknown, literal: value }
}

export function has(value: Value | undefined, ...tags: readonly Tag[]): boolean {
  return value !== undefined && tags.some((tag) => value.tags.has(tag))
}

/** Whether it, or something inside it, has one of these tags. */
export function holds(value: Value | undefined, ...tags: readonly Tag[]): boolean {
  if (value === undefined) return false
  const inside = [...(value.members?.values() ?? []), ...(value.items ?? []), ...(value.holes ?? [])]
  return has(value, ...tags) || inside.some((part) => holds(part, ...tags))
}

/** A value that may be any of these: what is known of each. */
export function either(...values: readonly Value[]): Value {
  const [first] = values
  if (first !== undefined && values.length === 1) return first
  const tags = new Set(values.flatMap((value) => [...value.tags]))
  const about = new Map(values.flatMap((value) => [...value.about]))
  const plain = values.filter(
    (value) => value.label !== undefined || value.closure !== undefined || value.members !== undefined,
  )
  const { tags: _, about: __, literal: ___, ...rest } = plain[0] ?? unknown
  return { ...rest, tags, about }
}

/** The same with the opposite truth. */
export function negated(value: Value): Value {
  return { ...unknown, tags: value.tags, about: opposite(value.about) }
}

function opposite(about: ReadonlyMap<number, Meaning>): ReadonlyMap<number, Meaning> {
  return new Map([...about].map(([step, meaning]) => [step, meaning === 'present' ? 'empty' : 'present'] as const))
}

export function textOf(value: Value | undefined): string | undefined {
  return typeof value?.literal === 'string' ? value.literal : undefined
}

export function memberNamed(value: Value | undefined, ...names: readonly string[]): Value | undefined {
  for (const name of names) {
    const found = value?.members?.get(name)
    if (found !== undefined) return found
  }
  return undefined
}
