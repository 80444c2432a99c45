import { type Chain, lastCall, linkNamed, type Recogniser } from '../run/chain.ts'
import { emit, type Machine } from '../run/machine.ts'
import { unknown, type Value } from '../run/value.ts'
import type { Node } from '../syntax/ast.ts'
import { connectionOf } from './connections.ts'

const openers = ['transaction', '$transaction', 'begin', 'withTransaction', 'tx', 'inTransaction', 'runInTransaction']

/** Transactions that a library begins and ends: around a function, around a list, or by two calls. */
export const transactions: Recogniser = (machine, chain) => {
  const started = linkNamed(chain, 'startTransaction')
  if (started !== undefined && chain.links.at(-1) === started) return beginOn(machine, chain)
  const last = lastCall(chain)
  if (
    last?.name !== undefined &&
    ['commit', 'rollback', 'commitTransaction', 'rollbackTransaction', 'abortTransaction'].includes(last.name)
  )
    return endOf(machine, chain)
  // kysely: db.transaction().execute(work)
  const opener = linkNamed(chain, ...openers)
  if (opener === undefined && !(chain.links[0]?.name === undefined && openers.includes(chain.rootName ?? '')))
    return undefined
  const values = chain.links.flatMap((link) => link.values ?? [])
  const work = values.find((value) => value.closure !== undefined)
  if (work?.closure !== undefined) return around(machine, chain, work)
  const isList = opener?.name === '$transaction' && values[0]?.items !== undefined
  if (isList) return unknown
  // knex.transaction() and sequelize.transaction() give the transaction itself.
  if (opener !== undefined && opener === last && values.every((value) => value.literal === undefined)) {
    const transaction = begun(machine, chain)
    keepOpen(machine, `transaction ${transaction}`, transaction)
    return { ...unknown, label: `transaction ${transaction}`, transaction }
  }
  return undefined
}

/** The function's first parameter is the transaction; libraries that have none bind it to what runs inside. */
function around(machine: Machine, chain: Chain, work: Value): Value {
  const { closure } = work
  if (closure === undefined || machine.state === undefined) return unknown
  const transaction = begun(machine, chain)
  machine.state = { ...machine.state, around: [...machine.state.around, transaction] }
  const value = machine.invoke(closure, [connectionIn(transaction, chain.node)], chain.node)
  if (machine.state !== undefined)
    machine.state = { ...machine.state, around: machine.state.around.filter((open) => open !== transaction) }
  emit(machine, chain.node, { kind: 'end', transaction })
  return value
}

/** A transaction that sees what others do at the same time counts as a lock. */
function begun(machine: Machine, chain: Chain): number {
  const transaction = machine.project.nextNumber()
  const opener = connectionOf(machine, chain).label
  if (opener !== undefined) machine.openers.set(transaction, opener)
  const isSerializable = chain.links.some(({ values }) => values?.some(mentionsSerializable) === true)
  if (isSerializable) emit(machine, chain.node, { kind: 'lock' })
  emit(machine, chain.node, { kind: 'begin', transaction })
  return transaction
}

function connectionIn(transaction: number, node: Node): Value {
  return { ...unknown, label: `transaction ${transaction}`, transaction, node }
}

function beginOn(machine: Machine, chain: Chain): Value {
  const transaction = begun(machine, chain)
  const { node, root, links } = chain
  const label = connectionOf(machine, chain).label ?? `${machine.file}:${node.start}`
  keepOpen(machine, label, transaction)
  // The manager of a query runner, and what else hangs on it, is in the transaction too.
  keepOpen(machine, `${label}.manager`, transaction)
  return links.length === 1 ? unknown : root
}

function endOf(machine: Machine, chain: Chain): Value | undefined {
  const { state } = machine
  const root = connectionOf(machine, chain)
  const { label } = root
  const transaction = label === undefined ? root.transaction : (state?.open.get(label) ?? root.transaction)
  if (transaction === undefined) return undefined
  emit(machine, chain.node, { kind: 'end', transaction })
  closeAll(machine, transaction)
  return unknown
}

export function keepOpen(machine: Machine, label: string, transaction: number): void {
  const { state } = machine
  if (state !== undefined) machine.state = { ...state, open: new Map([...state.open, [label, transaction]]) }
}

export function closeAll(machine: Machine, transaction: number): void {
  const { state } = machine
  if (state === undefined) return
  const open = new Map([...state.open].filter(([, number]) => number !== transaction))
  machine.state = { ...state, open }
}

function mentionsSerializable(value: Value): boolean {
  if (typeof value.literal === 'string' && /serializable/i.test(value.literal)) return true
  if (value.label !== undefined && /serializable/i.test(value.label)) return true
  return [...(value.members?.values() ?? [])].some(mentionsSerializable)
}
