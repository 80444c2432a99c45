import type { Node } from '../syntax/ast.ts'
import { emit, type Machine } from './machine.ts'
import { negated, textOf, unknown, type Value } from './value.ts'

type Binary = Extract<Node, { type: 'BinaryExpression' }>

/** What a comparison says of the rows that its sides are about, and two texts that become one. */
export function compared(machine: Machine, node: Binary, { left, right }: Sides): Value {
  if (node.operator === '+') return joined(left, right)
  const [first, second] = [constantOf(left), constantOf(right)]
  const isEquality = ['===', '==', '!==', '!='].includes(node.operator)
  if (isEquality && first === undefined && second === undefined) emit(machine, node, { kind: 'compare', left, right })
  const swapped = first !== undefined && second === undefined
  const [value, constant] = swapped ? [right, first] : [left, second]
  if (value.about.size === 0 || constant === undefined) return unknown
  const operator = swapped ? (mirrored[node.operator] ?? node.operator) : node.operator
  const meansPresent = saysPresent(operator, constant)
  if (meansPresent === undefined) return unknown
  return meansPresent ? { ...unknown, about: value.about } : negated(value)
}

/** A text with something unknown in it is no constant. */
function constantOf({ literal, holes = [] }: Value): Value['literal'] {
  return holes.length > 0 ? undefined : literal
}

type Sides = { readonly left: Value; readonly right: Value }

const mirrored: Readonly<Record<string, string>> = { '<': '>', '>': '<', '<=': '>=', '>=': '<=' }

/** Whether "x operator constant" is true where there is a row, or where there is none. */
function saysPresent(operator: string, constant: string | number | boolean | null): boolean | undefined {
  const isNothing = constant === null || constant === 0 || constant === false || constant === 'undefined'
  switch (operator) {
    case '===':
    case '==':
      return !isNothing
    case '!==':
    case '!=':
      return isNothing
    case '>':
      return constant === 0 ? true : undefined
    case '>=':
      return constant === 1 ? true : undefined
    case '<':
      return constant === 1 ? false : undefined
    case '<=':
      return constant === 0 ? false : undefined
    default:
      return undefined
  }
}

function joined(left: Value, right: Value): Value {
  const [start, end] = [textOf(left), textOf(right)]
  const tags = new Set([...left.tags, ...right.tags].filter((tag) => tag !== 'request' && tag !== 'headers'))
  const holes = [left, right].flatMap((side) => side.holes ?? (textOf(side) === undefined ? [side] : []))
  if (start === undefined && end === undefined) return { ...unknown, tags, holes }
  // What is not known stands as a place-holder, as in a template.
  return { ...unknown, tags, holes, literal: `${start ?? '$1'}${end ?? `$${holes.length}`}` }
}
