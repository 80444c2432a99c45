import type { Node } from '../syntax/ast.ts'
import { bindPattern } from './bind.ts'
import { detachedly, type Frame, type Machine, merged } from './machine.ts'
import { type Closure, either, type Scope, unknown, type Value } from './value.ts'

const deepest = 14

/** Runs a function of the project where it is called, with what it is given. */
export function invokeClosure(machine: Machine, closure: Closure, values: readonly Value[], at: Node): Value {
  const { node } = closure
  machine.project.markRun(node)
  machine.remaining -= 1
  if (machine.state === undefined || machine.remaining < 0) return unknown
  if (machine.calls.length >= deepest || machine.calls.includes(node)) return unknown
  const { floating } = machine
  machine.floating = undefined
  const isDetached = floating?.node === at && (floating.isCertain || node.async)
  return isDetached
    ? detachedly(machine, at, () => runBody(machine, closure, values, at))
    : runBody(machine, closure, values, at)
}

function runBody(machine: Machine, closure: Closure, values: readonly Value[], at: Node): Value {
  const { node, file } = closure
  const outer = { frame: machine.frame, file: machine.file, isInCatch: machine.isInCatch }
  const frame: Frame = { ends: [], exits: [] }
  machine.frame = frame
  machine.file = file
  machine.calls.push(node)
  machine.places.push({ node: at, file: outer.file })
  const scope: Scope = { names: new Map(), parent: closure.scope }
  if (closure.receiver !== undefined) scope.names.set('this', { value: closure.receiver })
  for (const [index, parameter] of node.params.entries()) {
    const rest = parameter.type === 'RestElement'
    const value = rest ? { ...unknown, items: values.slice(index) } : (values[index] ?? unknown)
    bindPattern(machine, rest ? parameter.argument : parameter, value, scope, `${file}:${parameter.start}`)
  }
  if (node.body.type === 'BlockStatement') machine.execute(node.body, scope)
  else {
    const value = machine.evaluate(node.body, scope)
    if (machine.state !== undefined) frame.ends.push({ state: machine.state, value })
    machine.state = undefined
  }
  const ends = frame.ends.map(({ state }) => state)
  machine.state = merged([...ends, machine.state])
  machine.calls.pop()
  machine.places.pop()
  machine.frame = outer.frame
  machine.file = outer.file
  machine.isInCatch = outer.isInCatch
  return frame.ends.length === 0 ? unknown : either(...frame.ends.map(({ value }) => value))
}
