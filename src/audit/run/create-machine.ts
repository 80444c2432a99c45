import { evaluateExpression } from './expressions.ts'
import { invokeClosure } from './functions.ts'
import { beginning, type Machine, type ProjectView } from './machine.ts'
import { executeStatement } from './statements.ts'

/** How many calls are followed from one place. What is not seen is not judged. */
export const mostCalls = { ofHandler: 3_000, ofFile: 150, ofOther: 100 } as const

/** A run from a clean slate. */
export function createMachine(project: ProjectView, file: string, remaining: number = mostCalls.ofFile): Machine {
  const machine: Machine = {
    state: beginning,
    frame: { ends: [], exits: [] },
    file,
    detached: undefined,
    isInCatch: false,
    floating: undefined,
    remaining,
    calls: [],
    places: [],
    steps: [],
    openers: new Map(),
    project,
    evaluate: (node, scope) => evaluateExpression(machine, node, scope),
    execute: (node, scope) => executeStatement(machine, node, scope),
    invoke: (closure, values, at) => invokeClosure(machine, closure, values, at),
  }
  return machine
}
