import { type Chain, type Link, lastCall, type Recogniser } from '../run/chain.ts'
import type { Machine, Route } from '../run/machine.ts'
import { type Closure, memberNamed, textOf, unknown, type Value } from '../run/value.ts'
import type { Node } from '../syntax/ast.ts'
import { connectionOf } from './connections.ts'

const methods = ['post', 'put', 'patch', 'all', 'use', 'route', 'add']

/** The label of what parses JSON without keeping the bytes. */
const jsonParser = 'parser of JSON'

/** Where functions are registered to answer requests, and what is mounted before them. */
export const routes: Recogniser = (machine, chain) => {
  const last = lastCall(chain)
  if (last === undefined) return undefined
  const name = last.name ?? chain.rootName
  const values = (last.values ?? []).flatMap((value) => value.items ?? [value])
  if (name === 'json' && isParserOf(chain)) return parserValue(values)
  if (name === 'createServer' || (name === 'serve' && /^(?:Bun|Deno)$/.test(chain.rootName ?? ''))) {
    const closure = values.map((value) => value.closure ?? memberNamed(value, 'fetch')?.closure).find(isThere)
    if (closure !== undefined) addRoute(machine, chain, last, { closure, path: undefined })
    return closure === undefined ? undefined : unknown
  }
  if (name === undefined || !methods.includes(name) || last.name === undefined) return undefined
  return mount(machine, chain, last, values)
}

function mount(machine: Machine, chain: Chain, last: Link, values: readonly Value[]): Value | undefined {
  const holder = connectionOf(machine, chain)
  const app = holder.label
  const [first] = values
  const described = first?.members === undefined ? undefined : memberNamed(first, 'handler')?.closure
  const path = textOf(first) ?? textOf(memberNamed(first, 'url', 'path'))
  const closure = described ?? values.findLast((value) => value.closure !== undefined)?.closure
  if (app === undefined && closure === undefined) return undefined
  const place = { app: app ?? '', path, node: last.node, file: machine.file }
  for (const value of values) {
    if (value.label === jsonParser && last.name === 'use') machine.project.addMount({ ...place, what: 'parser' })
    else if (last.name === 'use' && value.label !== undefined && value.closure === undefined)
      machine.project.addMount({ ...place, what: { router: value.label } })
  }
  if (closure !== undefined && (path !== undefined || described !== undefined))
    addRoute(machine, chain, last, { closure, path })
  return { ...unknown, label: app }
}

function addRoute(
  machine: Machine,
  chain: Chain,
  { node }: Link,
  { closure, path }: Pick<Route, 'closure' | 'path'>,
): void {
  const app = connectionOf(machine, chain).label
  const { file } = machine
  machine.project.addRoute({ closure, path, node, file, app, shape: shapeOf(closure) })
  if (app !== undefined) machine.project.addMount({ app, path, what: { route: closure.node }, node, file })
}

/** By what its parameters are called, and how many there are. */
export function shapeOf({ node }: Closure): Route['shape'] {
  const name = nameOfParameter(node.params[0])
  if (/^(?:c|ctx|context)$/.test(name ?? '')) return 'context'
  return node.params.length >= 2 ? 'node' : 'fetch'
}

function nameOfParameter(node: Node | undefined): string | undefined {
  return node?.type === 'Identifier' ? node.name : undefined
}

function isParserOf({ rootName, links }: Chain): boolean {
  return links.length === 1 && /^(?:express|bodyParser)$/.test(rootName ?? '')
}

/** With `verify` somebody keeps the bytes; with a type of its own it may leave webhooks alone. */
function parserValue([options]: readonly Value[]): Value {
  return memberNamed(options, 'verify', 'type') === undefined ? { ...unknown, label: jsonParser } : unknown
}

function isThere(closure: Closure | undefined): closure is Closure {
  return closure !== undefined
}
