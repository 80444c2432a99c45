import { bare, isFunction, type Node, nameOfKey } from '../syntax/ast.ts'
import { evaluateChain, isChain } from './chains.ts'
import { compared } from './compare.ts'
import { newInstance } from './instances.ts'
import { detachedly, knowing, type Machine, merged } from './machine.ts'
import { evaluateTemplate } from './templates.ts'
import { either, has, literal, negated, type Scope, tagged, unknown, type Value } from './value.ts'

/** What is known of the value of an expression. What it does on the way is noted. */
export function evaluateExpression(machine: Machine, given: Node, scope: Scope): Value {
  const node = bare(given)
  if (isChain(node)) return evaluateChain(machine, node, scope)
  if (isFunction(node)) return { ...unknown, closure: { kind: 'closure', node, scope, file: machine.file } }
  switch (node.type) {
    case 'Identifier':
      return lookUp(scope, node.name)
    case 'ThisExpression':
      return lookUp(scope, 'this')
    case 'StringLiteral':
    case 'NumericLiteral':
    case 'BooleanLiteral':
      return literal(node.value)
    case 'NullLiteral':
      return literal(null)
    case 'TemplateLiteral':
      return evaluateTemplate(machine, node, scope)
    case 'AwaitExpression':
    case 'YieldExpression':
      return node.argument == null ? unknown : machine.evaluate(node.argument, scope)
    case 'UnaryExpression':
      return evaluateUnary(machine, node, scope)
    case 'BinaryExpression':
      return compared(machine, node, {
        left: machine.evaluate(node.left, scope),
        right: machine.evaluate(node.right, scope),
      })
    case 'LogicalExpression':
      return evaluateLogical(machine, node, scope)
    case 'ConditionalExpression':
      return evaluateConditional(machine, node, scope)
    case 'AssignmentExpression':
      return evaluateAssignment(machine, node, scope)
    case 'ObjectExpression':
      return evaluateObject(machine, node, scope)
    case 'ArrayExpression':
      return {
        ...unknown,
        items: node.elements.map((element) => (element === null ? unknown : machine.evaluate(element, scope))),
      }
    case 'SpreadElement':
      return machine.evaluate(node.argument, scope)
    case 'NewExpression':
      return newInstance(machine, node, scope)
    case 'ClassExpression':
      return { ...unknown, class: { node, scope, file: machine.file } }
    case 'SequenceExpression':
      return node.expressions.map((part) => machine.evaluate(part, scope)).at(-1) ?? unknown
    default:
      return unknown
  }
}

const globals: ReadonlyMap<string, Value> = new Map([
  ['undefined', literal(null)],
  ['process', tagged('environment')],
])

function lookUp(scope: Scope, name: string): Value {
  for (let around: Scope | undefined = scope; around !== undefined; around = around.parent) {
    const cell = around.names.get(name)
    if (cell !== undefined) return cell.value ?? cell.find?.() ?? unknown
  }
  return globals.get(name) ?? unknown
}

function evaluateUnary(machine: Machine, node: Extract<Node, { type: 'UnaryExpression' }>, scope: Scope): Value {
  const argument = bare(node.argument)
  if (node.operator !== 'void') {
    const value = machine.evaluate(argument, scope)
    return node.operator === '!' ? negated(value) : unknown
  }
  // Something that is called for what it does, and not waited for.
  return isChain(argument) ? detachedly(machine, argument, () => machine.evaluate(argument, scope)) : unknown
}

/** The second part is reached only if the first one says so. */
function evaluateLogical(machine: Machine, node: Extract<Node, { type: 'LogicalExpression' }>, scope: Scope): Value {
  const left = machine.evaluate(node.left, scope)
  const before = machine.state
  const isAnd = node.operator === '&&'
  machine.state = node.operator === '??' ? before : knowing(before, left, isAnd)
  const right = machine.evaluate(node.right, scope)
  machine.state = merged([before, machine.state])
  return either(left, right)
}

function evaluateConditional(
  machine: Machine,
  node: Extract<Node, { type: 'ConditionalExpression' }>,
  scope: Scope,
): Value {
  const test = machine.evaluate(node.test, scope)
  const before = machine.state
  machine.state = knowing(before, test, true)
  const one = machine.evaluate(node.consequent, scope)
  const after = machine.state
  machine.state = knowing(before, test, false)
  const other = machine.evaluate(node.alternate, scope)
  machine.state = merged([after, machine.state])
  return either(one, other)
}

function evaluateAssignment(
  machine: Machine,
  node: Extract<Node, { type: 'AssignmentExpression' }>,
  scope: Scope,
): Value {
  const value = machine.evaluate(node.right, scope)
  if (node.left.type === 'MemberExpression') assignExport(node.left, value, scope)
  if (node.left.type !== 'Identifier') return value
  const { name } = node.left
  for (let around: Scope | undefined = scope; around !== undefined; around = around.parent) {
    const cell = around.names.get(name)
    if (cell === undefined) continue
    const label = value.label ?? cell.value?.label
    const isJoined = node.operator !== '='
    cell.value = { ...(isJoined ? either(cell.value ?? unknown, value) : value), label }
    break
  }
  return value
}

/** `module.exports = value` and `exports.name = value`. */
function assignExport(left: Extract<Node, { type: 'MemberExpression' }>, value: Value, scope: Scope): void {
  const name = nameOfKey(left.property, left.computed)
  const object = bare(left.object)
  const isWhole = object.type === 'Identifier' && object.name === 'module' && name === 'exports'
  const isNamed =
    (object.type === 'Identifier' && object.name === 'exports') ||
    (object.type === 'MemberExpression' && nameOfKey(object.property, object.computed) === 'exports')
  if (name === undefined || (!isWhole && !isNamed)) return
  let top = scope
  while (top.parent !== undefined) top = top.parent
  if (!isWhole) top.names.set(name, { value })
  else if (value.members === undefined) top.names.set('default', { value })
  else for (const [exported, member] of value.members) top.names.set(exported, { value: member })
}

function evaluateObject(machine: Machine, node: Extract<Node, { type: 'ObjectExpression' }>, scope: Scope): Value {
  const members = new Map<string, Value>()
  const spreads: Value[] = []
  for (const property of node.properties) {
    if (property.type === 'SpreadElement') {
      const spread = machine.evaluate(property.argument, scope)
      spreads.push(spread)
      for (const [name, value] of spread.members ?? []) members.set(name, value)
      continue
    }
    const name = nameOfKey(property.key, property.computed)
    const value = isFunction(property)
      ? { ...unknown, closure: { kind: 'closure' as const, node: property, scope, file: machine.file } }
      : machine.evaluate(property.value, scope)
    if (name !== undefined) members.set(name, value)
    // A path of Drizzle, Kysely and others may be computed; what is in it still counts.
    else members.set(`[${property.start}]`, value)
  }
  const tags = new Set(spreads.filter((spread) => has(spread, 'event')).flatMap((spread) => [...spread.tags]))
  return { tags, about: new Map(), members, node }
}
