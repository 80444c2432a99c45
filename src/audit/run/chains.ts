import { recognise } from '../know/recognise.ts'
import { bare, type Node, nameOfKey } from '../syntax/ast.ts'
import type { Link } from './chain.ts'
import { detachedly, type Machine, merged } from './machine.ts'
import { memberOf } from './members.ts'
import { evaluateTemplate } from './templates.ts'
import { type Scope, textOf, unknown, type Value } from './value.ts'

/** A member or a call, as written. */
type Piece = {
  readonly node: Node
  readonly property?: { readonly node: Node; readonly isComputed: boolean }
  readonly parameters?: readonly Node[]
  readonly template?: Extract<Node, { type: 'TemplateLiteral' }>
}

type ChainNode = Extract<
  Node,
  {
    type:
      | 'CallExpression'
      | 'OptionalCallExpression'
      | 'MemberExpression'
      | 'OptionalMemberExpression'
      | 'TaggedTemplateExpression'
  }
>

export function isChain(node: Node): node is ChainNode {
  return /^(?:Optional)?(?:Call|Member)Expression$|^TaggedTemplateExpression$/.test(node.type)
}

/** `a.b(c).d(e)`: what is in the project is looked into, the rest is left to those who know libraries. */
export function evaluateChain(machine: Machine, node: ChainNode, scope: Scope): Value {
  const { floating } = machine
  const last = nameOfCall(node)
  if (last === 'then' || last === 'catch' || last === 'finally') return evaluateContinuation(machine, node, scope)
  if (last !== undefined && deferrals.has(last)) return evaluateDeferral(machine, node, scope)
  const { rootNode, pieces } = flattened(node)
  machine.floating = undefined
  const root = machine.evaluate(rootNode, scope)
  const rootName = rootNode.type === 'Identifier' ? rootNode.name : undefined
  return follow(machine, { root, rootName, pieces, node, scope, floating })
}

type Way = {
  readonly root: Value
  readonly rootName: string | undefined
  readonly pieces: readonly Piece[]
  readonly node: Node
  readonly scope: Scope
  readonly floating: Machine['floating']
}

function follow(machine: Machine, { root, rootName, pieces, node, scope, floating }: Way): Value {
  let value = root
  for (const [index, piece] of pieces.entries()) {
    const { property } = piece
    const name = property === undefined ? undefined : nameOf(machine, property, scope)
    const target =
      property === undefined
        ? value
        : name === undefined
          ? { ...value, label: undefined }
          : memberOf(machine, value, name)
    const isCalled = piece.parameters !== undefined || piece.template !== undefined
    if (!isCalled) {
      value = target
      continue
    }
    if (target.closure === undefined) {
      const start = indexOfBase(pieces, index)
      const links = pieces.slice(start).map((link) => linkOf(machine, link, scope))
      const base = start === 0 ? root : value
      machine.floating = floating
      const result = recognise(machine, { root: base, rootName: start === 0 ? rootName : undefined, links, node })
      machine.floating = undefined
      return result
    }
    const values = valuesOf(machine, piece, scope)
    machine.floating = floating
    value = machine.invoke(target.closure, values, piece.node)
    machine.floating = undefined
    if (index === pieces.length - 1) return value
    const rest = pieces.slice(index + 1)
    return follow(machine, { root: value, rootName: undefined, pieces: rest, node, scope, floating })
  }
  return value
}

/** Members before the first call belong to the library's own words. */
function indexOfBase(pieces: readonly Piece[], index: number): number {
  return pieces.slice(0, index).every(({ parameters, template }) => parameters === undefined && template === undefined)
    ? 0
    : index
}

function linkOf(machine: Machine, piece: Piece, scope: Scope): Link {
  const { property, node } = piece
  const name = property === undefined ? undefined : nameOf(machine, property, scope)
  const isCalled = piece.parameters !== undefined || piece.template !== undefined
  return { name, node, values: isCalled ? valuesOf(machine, piece, scope) : undefined }
}

function valuesOf(machine: Machine, { parameters, template }: Piece, scope: Scope): readonly Value[] {
  if (template !== undefined) return [{ ...evaluateTemplate(machine, template, scope), node: template }]
  return (parameters ?? []).flatMap((parameter) => {
    const value = machine.evaluate(parameter, scope)
    return parameter.type === 'SpreadElement' ? (value.items ?? [value]) : [value]
  })
}

function nameOf(
  machine: Machine,
  { node, isComputed }: NonNullable<Piece['property']>,
  scope: Scope,
): string | undefined {
  return isComputed ? textOf(machine.evaluate(node, scope)) : nameOfKey(node, false)
}

/** From the root to the end. */
function flattened(node: Node): { readonly rootNode: Node; readonly pieces: readonly Piece[] } {
  const pieces: Piece[] = []
  let current = bare(node)
  while (isChain(current)) {
    const { callee, ...called } = calledBy(current)
    if (callee.type === 'MemberExpression' || callee.type === 'OptionalMemberExpression') {
      pieces.unshift({ node: current, property: { node: callee.property, isComputed: callee.computed }, ...called })
      current = bare(callee.object)
    } else {
      pieces.unshift({ node: current, ...called })
      current = callee
    }
  }
  return { rootNode: current, pieces }
}

type Called = Pick<Piece, 'parameters' | 'template'> & { readonly callee: Node }

function calledBy(node: ChainNode): Called {
  switch (node.type) {
    case 'TaggedTemplateExpression':
      return { callee: bare(node.tag), template: node.quasi }
    case 'CallExpression':
    case 'OptionalCallExpression':
      return { callee: bare(node.callee), parameters: node.arguments }
    default:
      return { callee: node }
  }
}

function nameOfCall(node: ChainNode): string | undefined {
  if (node.type !== 'CallExpression' && node.type !== 'OptionalCallExpression') return undefined
  const callee = bare(node.callee)
  if (callee.type === 'Identifier') return callee.name
  const isMember = callee.type === 'MemberExpression' || callee.type === 'OptionalMemberExpression'
  return isMember && !callee.computed ? nameOfKey(callee.property, false) : undefined
}

/** `promise.then(one, other)`: the functions run afterwards, with what came before. */
function evaluateContinuation(machine: Machine, node: ChainNode, scope: Scope): Value {
  const callee = 'callee' in node ? bare(node.callee) : node
  if (!('object' in callee) || !('arguments' in node)) return unknown
  const { floating } = machine
  machine.floating = undefined
  const run = (): Value => {
    const value = machine.evaluate(callee.object, scope)
    const [first, second] = node.arguments.map((parameter) => machine.evaluate(parameter, scope).closure)
    const isCatch = nameOfCall(node) === 'catch'
    const onSuccess = isCatch ? undefined : first
    const onFailure = isCatch ? first : second
    const result = onSuccess === undefined ? value : machine.invoke(onSuccess, [value], node)
    if (onFailure === undefined) return result
    const { state, isInCatch } = machine
    machine.isInCatch = true
    machine.invoke(onFailure, [], node)
    machine.isInCatch = isInCatch
    machine.state = merged([state, machine.state])
    return result
  }
  return floating?.node === node ? detachedly(machine, node, run) : run()
}

/** What runs later, when nobody waits for it any more. */
const deferrals = new Set(['setImmediate', 'setTimeout', 'queueMicrotask', 'nextTick', 'waitUntil', 'after'])

function evaluateDeferral(machine: Machine, node: ChainNode, scope: Scope): Value {
  machine.floating = undefined
  return detachedly(machine, node, () => {
    const parameters = 'arguments' in node ? node.arguments : []
    for (const value of parameters.map((parameter) => machine.evaluate(parameter, scope)))
      if (value.closure !== undefined) machine.invoke(value.closure, [], node)
    return unknown
  })
}
