import type { Node } from '../syntax/ast.ts'
import type { Machine } from './machine.ts'
import { type Scope, textOf, type Value } from './value.ts'

/** The text of a template. What is put in is its own text where that is known, else a place-holder as SQL has them. */
export function evaluateTemplate(
  machine: Machine,
  node: Extract<Node, { type: 'TemplateLiteral' }>,
  scope: Scope,
): Value {
  const values = node.expressions.map((expression) => machine.evaluate(expression, scope))
  const holes: Value[] = []
  const text = node.quasis.map((quasi, index) => {
    const value = values[index]
    const known = textOf(value)
    const piece = quasi.value.cooked ?? quasi.value.raw
    if (value === undefined) return piece
    if (known !== undefined) return piece + known
    holes.push(value)
    return `${piece}$${holes.length}`
  })
  const tags = new Set(values.flatMap((value) => [...value.tags]))
  return { tags, about: new Map(), literal: text.join(''), holes }
}
