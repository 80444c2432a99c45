import { bare, type Node } from '../syntax/ast.ts'
import { bindPattern } from './bind.ts'
import { knowing, type Machine, merged, type State } from './machine.ts'
import { type Scope, unknown } from './value.ts'

/** Follows a statement; afterwards `machine.state` is undefined if nothing behind it can be reached. */
export function executeStatement(machine: Machine, node: Node, scope: Scope): void {
  if (machine.state === undefined) return
  switch (node.type) {
    case 'BlockStatement':
    case 'StaticBlock':
      executeAll(machine, node.body, { names: new Map(), parent: scope })
      return
    case 'ExpressionStatement':
      executeExpression(machine, node.expression, scope)
      return
    case 'VariableDeclaration':
      for (const { id, init } of node.declarations) {
        const value = init == null ? unknown : machine.evaluate(init, scope)
        bindPattern(machine, id, value, scope, `${machine.file}:${id.start}`)
      }
      return
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
      // Hoisted: see executeAll.
      return
    case 'ReturnStatement': {
      const value = node.argument == null ? unknown : machine.evaluate(node.argument, scope)
      if (machine.state !== undefined) machine.frame.ends.push({ state: machine.state, value })
      machine.state = undefined
      return
    }
    case 'ThrowStatement':
      machine.evaluate(node.argument, scope)
      machine.state = undefined
      return
    case 'IfStatement':
      executeIf(machine, node, scope)
      return
    case 'TryStatement':
      executeTry(machine, node, scope)
      return
    case 'SwitchStatement':
      executeSwitch(machine, node, scope)
      return
    case 'BreakStatement':
    case 'ContinueStatement':
      machine.frame.exits.at(-1)?.push(machine.state)
      machine.state = undefined
      return
    case 'LabeledStatement':
      executeStatement(machine, node.body, scope)
      return
    case 'ExportNamedDeclaration':
    case 'ExportDefaultDeclaration':
      if (node.declaration != null) executeExported(machine, node.declaration, scope)
      return
    default:
      executeLoop(machine, node, scope)
  }
}

/** A list of statements, whose functions and classes are known from its first line on. */
export function executeAll(machine: Machine, nodes: readonly Node[], scope: Scope): void {
  for (const node of nodes) hoist(machine, node, scope)
  for (const node of nodes) executeStatement(machine, node, scope)
}

function hoist(machine: Machine, node: Node, scope: Scope): void {
  const isExport = node.type === 'ExportNamedDeclaration' || node.type === 'ExportDefaultDeclaration'
  const declaration = isExport ? node.declaration : node
  const { file } = machine
  if (declaration?.type === 'FunctionDeclaration' && declaration.id != null) {
    const closure = { kind: 'closure', node: declaration, scope, file } as const
    scope.names.set(declaration.id.name, { value: { ...unknown, closure } })
  }
  if (declaration?.type === 'ClassDeclaration' && declaration.id != null)
    scope.names.set(declaration.id.name, { value: { ...unknown, class: { node: declaration, scope, file } } })
}

function executeExported(machine: Machine, declaration: Node, scope: Scope): void {
  const isValue = !declaration.type.endsWith('Declaration')
  if (isValue) scope.names.set('default', { value: machine.evaluate(declaration, scope) })
  else executeStatement(machine, declaration, scope)
}

/** A call that nobody waits for goes on while the next line runs, if it is asynchronous. */
function executeExpression(machine: Machine, expression: Node, scope: Scope): void {
  const node = bare(expression)
  const isCall = node.type === 'CallExpression' || node.type === 'OptionalCallExpression'
  machine.floating = isCall ? { node, isCertain: false } : undefined
  machine.evaluate(node, scope)
  machine.floating = undefined
}

function executeIf(machine: Machine, node: Extract<Node, { type: 'IfStatement' }>, scope: Scope): void {
  const test = machine.evaluate(node.test, scope)
  const before = machine.state
  machine.state = knowing(before, test, true)
  executeStatement(machine, node.consequent, { names: new Map(), parent: scope })
  const after = machine.state
  machine.state = knowing(before, test, false)
  if (node.alternate != null) executeStatement(machine, node.alternate, { names: new Map(), parent: scope })
  machine.state = merged([after, machine.state])
}

/** What fails may have failed at any place, so whatever was done before may have been done. */
function executeTry(machine: Machine, node: Extract<Node, { type: 'TryStatement' }>, scope: Scope): void {
  const before = machine.state
  const endsBefore = machine.frame.ends.length
  executeStatement(machine, node.block, scope)
  const after = machine.state
  const returned = machine.frame.ends.slice(endsBefore).map(({ state }) => state)
  if (node.handler != null) {
    const reached = merged([after, ...returned])
    // What was open when it failed is still open: nobody has rolled it back yet.
    machine.state = before === undefined ? undefined : { ...before, path: reached?.path ?? before.path }
    const inner: Scope = { names: new Map(), parent: scope }
    if (node.handler.param != null) bindPattern(machine, node.handler.param, unknown, inner, `${machine.file}:caught`)
    const { isInCatch } = machine
    machine.isInCatch = true
    executeStatement(machine, node.handler.body, inner)
    machine.isInCatch = isInCatch
    machine.state = merged([after, machine.state])
  }
  if (node.finalizer == null) return
  const isReached = machine.state !== undefined
  machine.state ??= merged([after, ...returned]) ?? before
  executeStatement(machine, node.finalizer, scope)
  if (!isReached) machine.state = undefined
}

function executeSwitch(machine: Machine, node: Extract<Node, { type: 'SwitchStatement' }>, scope: Scope): void {
  machine.evaluate(node.discriminant, scope)
  const before = machine.state
  const exits: State[] = []
  machine.frame.exits.push(exits)
  let falling: State | undefined
  for (const branch of node.cases) {
    machine.state = merged([before, falling])
    executeAll(machine, branch.consequent, { names: new Map(), parent: scope })
    falling = machine.state
  }
  machine.frame.exits.pop()
  const hasDefault = node.cases.some(({ test }) => test == null)
  machine.state = merged([...exits, falling, ...(hasDefault ? [] : [before])])
}

function executeLoop(machine: Machine, node: Node, scope: Scope): void {
  const inner: Scope = { names: new Map(), parent: scope }
  const before = machine.state
  const exits: State[] = []
  switch (node.type) {
    case 'ForOfStatement':
    case 'ForInStatement': {
      const list = machine.evaluate(node.right, inner)
      const target = node.left.type === 'VariableDeclaration' ? node.left.declarations[0]?.id : node.left
      const item = list.items?.[0] ?? { ...list, label: undefined }
      if (target !== undefined) bindPattern(machine, target, item, inner, `${machine.file}:${target.start}`)
      break
    }
    case 'ForStatement':
      if (node.init?.type === 'VariableDeclaration') executeStatement(machine, node.init, inner)
      else if (node.init != null) machine.evaluate(node.init, inner)
      if (node.test != null) machine.evaluate(node.test, inner)
      break
    case 'WhileStatement':
    case 'DoWhileStatement':
      machine.evaluate(node.test, inner)
      break
    default:
      return
  }
  machine.frame.exits.push(exits)
  executeStatement(machine, node.body, inner)
  machine.frame.exits.pop()
  machine.state = merged([machine.state, ...exits, before])
}
