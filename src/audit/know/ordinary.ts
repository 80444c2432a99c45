import { type Chain, type Link, lastCall } from '../run/chain.ts'
import { emit, type Machine, merged, openTransactions } from '../run/machine.ts'
import { either, holds, type Tag, unknown, type Value } from '../run/value.ts'
import { connectionOf } from './connections.ts'
import { soundsLikeWork } from './names.ts'

/** Functions that are kept for later; whoever calls them is not seen. */
const keepers =
  /^(?:on|once|addListener|addEventListener|subscribe|listen|use|get|post|register|describe|it|test|beforeEach|afterEach|addHook|setInterval)$/

/** A call that nobody here knows: by its name it may be work, and functions that it is given are probably called. */
export function ordinaryCalls(machine: Machine, chain: Chain): Value {
  const last = lastCall(chain)
  if (last === undefined) return unknown
  const name = last.name ?? chain.rootName ?? ''
  const values = last.values ?? []
  const closures = values.flatMap((value) => (value.closure === undefined ? [] : [value.closure]))
  if (/lock|mutex|semaphore|exclusive/i.test(`${chain.rootName} ${name}`)) emit(machine, chain.node, { kind: 'lock' })
  noteWork(machine, chain, name, values)
  if (closures.length === 0) return resultOf(machine, chain, last, values)
  if (keepers.test(name)) return unknown
  // `asyncHandler(function)` and its like give back a function that does the same.
  const isWrapper = last.name === undefined && machine.calls.length === 0
  if (isWrapper) return values.find((value) => value.closure !== undefined) ?? unknown
  const { state } = machine
  const results = closures.map((closure) => machine.invoke(closure, [itemOf(connectionOf(machine, chain))], chain.node))
  machine.state = merged([machine.state, state])
  return { ...either(...results), label: undefined }
}

function noteWork(machine: Machine, chain: Chain, name: string, values: readonly Value[]): void {
  const takesEvent = values.some((value) => holds(value, 'event', 'event-part', 'parsed-body', 'request-body'))
  const isLogging = /log|console|metric|sentry|trace|span|debug|stats|assert|schema|valid|pars/i.test(
    `${chain.rootName}.${name}`,
  )
  if (takesEvent && !isLogging && soundsLikeWork(name))
    emit(machine, chain.node, { kind: 'work', name, open: openTransactions(machine) })
}

function itemOf(root: Value): Value {
  return root.items?.[0] ?? { ...root, label: undefined }
}

const kept: readonly Tag[] = [
  'signature',
  'token',
  'digest',
  'body-hash',
  'raw-body',
  'event-id',
  'event-part',
  'secret',
  'written-again',
]

/** A method of a text or list gives something of the same kind. A helper for conditions holds what it is given. */
function resultOf(machine: Machine, chain: Chain, last: Link, values: readonly Value[]): Value {
  if (last.name === undefined && chain.links.length === 1) {
    const isHelper = /^(?:eq|and|or|inArray|In|Equal)$/.test(chain.rootName ?? '')
    return isHelper ? { ...unknown, items: values } : { ...unknown, from: chain.root.label }
  }
  const holder = connectionOf(machine, chain)
  const tags = [...holder.tags].filter((tag) => kept.includes(tag))
  return { ...unknown, tags: new Set(tags), about: holder.about, from: holder.label }
}
