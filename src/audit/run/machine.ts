import type { Node } from '../syntax/ast.ts'
import type { Action, Place, Step } from './step.ts'
import type { ClassValue, Closure, Meaning, Scope, Value } from './value.ts'

/** Where a run is, and what it has behind it. */
export type State = {
  readonly path: readonly Step[]
  /** Connections on which a transaction has begun, by label. */
  readonly open: ReadonlyMap<string, number>
  /** Transactions that run as long as a function does. */
  readonly around: readonly number[]
  readonly facts: ReadonlyMap<number, Meaning>
}

/** What a function that is being run has come to so far. */
export type Frame = {
  readonly ends: { readonly state: State; readonly value: Value }[]
  /** Loops and switches around the place, for `break` and `continue`. */
  readonly exits: State[][]
}

/** A function that answers requests, with where it was registered. */
export type Route = {
  readonly closure: Closure
  readonly path: string | undefined
  readonly node: Node
  readonly file: string
  /** The app or router, by label. */
  readonly app: string | undefined
  readonly shape: 'node' | 'context' | 'fetch'
}

/** What was mounted on an app or router, in order. */
export type Mount = {
  readonly app: string
  readonly path: string | undefined
  /** A parser of JSON, or another router. */
  readonly what: 'parser' | { readonly router: string } | { readonly route: Node }
  readonly node: Node
  readonly file: string
}

/** Runs code without running it: follows every way through a function and notes what is done on each. */
export type Machine = {
  state: State | undefined
  frame: Frame
  file: string
  detached: Place | undefined
  isInCatch: boolean
  /** A call that nobody waits for: if it is asynchronous, what it does is detached. */
  floating: { readonly node: Node; readonly isCertain: boolean } | undefined
  remaining: number
  readonly calls: Node[]
  readonly places: Place[]
  readonly steps: Step[]
  /** What each transaction was begun on, by label. */
  readonly openers: Map<number, string>
  readonly project: ProjectView
  readonly evaluate: (node: Node, scope: Scope) => Value
  readonly execute: (node: Node, scope: Scope) => void
  readonly invoke: (closure: Closure, values: readonly Value[], at: Node) => Value
}

/** What a run needs to know of everything around it. */
export type ProjectView = {
  readonly nextNumber: () => number
  readonly addRoute: (route: Route) => void
  readonly addMount: (mount: Mount) => void
  /** A function that was run; the others are looked at by themselves. */
  readonly markRun: (node: Node) => void
  /** The class that another one extends, if it is in the project. */
  readonly resolveClass: (owner: ClassValue) => ClassValue | undefined
  /** What `require` gives in a file. */
  readonly required: (file: string, specifier: string) => Value
}

const longestPath = 300

/** Notes what is done at a place, unless it cannot be reached. */
export function emit(machine: Machine, node: Node, action: Action): Step | undefined {
  const { state } = machine
  if (state === undefined || state.path.length >= longestPath) return undefined
  const step: Step = {
    ...action,
    number: machine.project.nextNumber(),
    node,
    file: machine.file,
    before: state.path,
    facts: state.facts,
    detached: machine.detached,
    isInCatch: machine.isInCatch,
    calls: [...machine.places],
  }
  machine.steps.push(step)
  machine.state = { ...state, path: [...state.path, step] }
  return step
}

export const beginning: State = { path: [], open: new Map(), around: [], facts: new Map() }

/** What holds after either way: everything that may have happened, and what is known on both. */
export function merged(states: readonly (State | undefined)[]): State | undefined {
  const reached = states.filter((state) => state !== undefined)
  const [first, ...others] = reached
  if (first === undefined) return undefined
  return others.reduce((one, other) => {
    const known = new Set(one.path)
    return {
      path: [...one.path, ...other.path.filter((step) => !known.has(step))],
      open: common(one.open, other.open),
      around: one.around.filter((transaction) => other.around.includes(transaction)),
      facts: common(one.facts, other.facts),
    }
  }, first)
}

function common<Key, Item>(one: ReadonlyMap<Key, Item>, other: ReadonlyMap<Key, Item>): ReadonlyMap<Key, Item> {
  return new Map([...one].filter(([key, item]) => other.get(key) === item))
}

/** The state in which a value has turned out to be true, or not. */
export function knowing(state: State | undefined, value: Value, isTrue: boolean): State | undefined {
  if (state === undefined || value.about.size === 0) return state
  const learnt = [...value.about].map(
    ([step, meaning]) => [step, isTrue ? meaning : meaning === 'present' ? 'empty' : 'present'] as const,
  )
  return { ...state, facts: new Map([...state.facts, ...learnt]) }
}

/** Runs something that nobody waits for: what it does has not happened yet when the next line runs. */
export function detachedly(machine: Machine, node: Node, run: () => Value): Value {
  const { state, detached } = machine
  machine.detached = detached ?? { node, file: machine.file }
  const value = run()
  machine.detached = detached
  machine.state = state
  return value
}

/** The transactions that are open at this place. */
export function openTransactions({ state }: Machine): readonly number[] {
  return state === undefined ? [] : [...state.around, ...state.open.values()]
}
