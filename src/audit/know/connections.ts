import type { Chain } from '../run/chain.ts'
import { type Machine, openTransactions } from '../run/machine.ts'
import { memberOf } from '../run/members.ts'
import type { Fate } from '../run/step.ts'
import { memberNamed, type Value } from '../run/value.ts'

/** What a statement is sent through: `this.pool` of `this.pool.query(…)`. With `without: 1` also the model's name is left out. */
export function connectionOf(machine: Machine, { root, links }: Chain, without = 0): Value {
  const firstCall = links.findIndex(({ values }) => values !== undefined)
  const members = links.slice(0, Math.max(0, firstCall - without))
  return members.reduce((value, { name }) => (name === undefined ? value : memberOf(machine, value, name)), root)
}

/** The transaction that a statement through this connection belongs to. */
export function fateOf(machine: Machine, connection: Value): { readonly fate: Fate; readonly besides?: number } {
  if (connection.transaction !== undefined) return { fate: connection.transaction }
  const { label } = connection
  const begun = label === undefined ? undefined : machine.state?.open.get(label)
  if (begun !== undefined) return { fate: begun }
  if (connection.isGiven === true || label === undefined) return { fate: 'unsure' }
  const besides = openTransactions(machine).at(-1)
  if (besides === undefined) return { fate: 'alone' }
  // In the middle of a transaction only its own opener is known to stay outside. Others may know of it in ways that are not seen.
  const opener = machine.openers.get(besides)
  return opener === label || opener === connection.from ? { fate: 'alone', besides } : { fate: 'unsure' }
}

/** The same, where a transaction is handed over in the options: `{ transaction }`, `{ session }`, `.transacting(trx)`. */
export function fateOfCall(machine: Machine, chain: Chain, connection: Value): ReturnType<typeof fateOf> {
  const values = chain.links.flatMap((link) => link.values ?? [])
  const joined = chain.links.find(
    ({ name }) => name === 'transacting' || name === 'session' || name === 'useTransaction',
  )
  const handed =
    joined?.values?.[0] ??
    values
      .map((value) => memberNamed(value, 'transaction', 'session', 'trx', 'tx', 'client', 'connection'))
      .find(isThere) ??
    values.find((value) => value.transaction !== undefined)
  if (handed === undefined) return fateOf(machine, connection)
  return { fate: handed.transaction ?? 'unsure' }
}

function isThere(value: Value | undefined): value is Value {
  return value !== undefined
}
