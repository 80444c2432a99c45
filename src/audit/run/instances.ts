import type { Node } from '../syntax/ast.ts'
import type { Machine } from './machine.ts'
import { type Scope, unknown, type Value } from './value.ts'

/** `new X(…)`: an instance of a class of the project, or something that only has a name. */
export function newInstance(machine: Machine, node: Extract<Node, { type: 'NewExpression' }>, scope: Scope): Value {
  const values = node.arguments.map((argument) => machine.evaluate(argument, scope))
  const name = node.callee.type === 'Identifier' ? node.callee.name : undefined
  const found = machine.evaluate(node.callee, scope)
  const label = `${machine.file}:${node.start}`
  if (found.class !== undefined) return { ...unknown, label, instance: found.class }
  const first = values[0]?.closure
  if (name === 'Promise' && first !== undefined) {
    machine.invoke(first, [], node)
    return unknown
  }
  // `new Model({ … })` of Mongoose is saved later, with what is given here.
  return { ...unknown, label, ...(values[0]?.members === undefined ? {} : { members: values[0].members }) }
}
