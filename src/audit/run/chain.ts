import type { Node } from '../syntax/ast.ts'
import type { Machine } from './machine.ts'
import type { Value } from './value.ts'

/** One step along `a.b(c).d`: a member, and a call of it where there are values. A call of the root itself has no name. */
export type Link = {
  readonly name: string | undefined
  readonly values: readonly Value[] | undefined
  readonly node: Node
}

/** A call in a library, with all that hangs on it: `db.insert(table).values(row).onConflictDoNothing()`. */
export type Chain = {
  readonly root: Value
  readonly rootName: string | undefined
  readonly links: readonly Link[]
  readonly node: Node
}

/** Knows some library: does what the call does and answers with its value, or does not know it. */
export type Recogniser = (machine: Machine, chain: Chain) => Value | undefined

export function linkNamed(chain: Chain, ...names: readonly string[]): Link | undefined {
  return chain.links.find(({ name, values }) => values !== undefined && name !== undefined && names.includes(name))
}

/** The last link that is called. */
export function lastCall(chain: Chain): Link | undefined {
  return chain.links.findLast(({ values }) => values !== undefined)
}

/** How the thing that is called was named in the code: `stripe.checkout.sessions` of `stripe.checkout.sessions.create()`. */
export function wordsOf({ rootName, links }: Chain): string {
  return [rootName, ...links.map(({ name }) => name)].filter((name) => name !== undefined).join('.')
}
