import type { Node } from '../syntax/ast.ts'
import type { Meaning, Value } from './value.ts'

/** Whether a statement shares its fate with a transaction: the number of one, none at all, or nobody knows. */
export type Fate = number | 'alone' | 'unsure'

/** What is read from or written to a table, a model or Redis. */
export type StoreStep = {
  readonly kind: 'lookup' | 'record' | 'write' | 'erase'
  readonly table: string
  /** False where only a field is known, as that of a repository. */
  readonly isNameSure: boolean
  readonly store: 'database' | 'redis'
  readonly fate: Fate
  /** For `alone` in the middle of a transaction: the one it stays out of, by mistake. */
  readonly besides?: number | undefined
  /** What the row is told apart by. */
  readonly key: Value | undefined
  /** A record that writes nothing, and does not fail, where the row is there already. */
  readonly isAtomic: boolean
  /** A record that keeps the event itself or its state, so that somebody can come back to it. */
  readonly isReceipt: boolean
  readonly expires: boolean
}

/** What a handler does, as far as it matters. */
export type Action =
  | StoreStep
  | { readonly kind: 'begin' | 'end'; readonly transaction: number }
  /** Others with the same key wait, or fail. */
  | { readonly kind: 'lock' }
  | { readonly kind: 'answer'; readonly status: number | undefined }
  /** A call that changes something elsewhere. */
  | { readonly kind: 'foreign'; readonly what: string; readonly isQueue: boolean; readonly open: readonly number[] }
  /** A function that cannot be looked into, by its name one that works on the event. */
  | { readonly kind: 'work'; readonly name: string; readonly open: readonly number[] }
  /** A signature is checked, over this. */
  | { readonly kind: 'verify'; readonly over: Value | undefined }
  | { readonly kind: 'compare'; readonly left: Value; readonly right: Value }

/** An action at its place, with what came before it. */
export type Step = Action & {
  readonly number: number
  readonly node: Node
  readonly file: string
  /** What has or may have happened before, on the way here. */
  readonly before: readonly Step[]
  /** What is known here of earlier look-ups and records. */
  readonly facts: ReadonlyMap<number, Meaning>
  /** The place where work was begun that nobody waits for, if this is a part of it. */
  readonly detached: Place | undefined
  readonly isInCatch: boolean
  /** The calls that led here, from the outside in. */
  readonly calls: readonly Place[]
}

/** Where something stands. */
export type Place = { readonly node: Node; readonly file: string }
