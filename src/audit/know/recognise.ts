import type { Chain, Recogniser } from '../run/chain.ts'
import type { Machine } from '../run/machine.ts'
import { textOf, type Value } from '../run/value.ts'
import { answers } from './answers.ts'
import { bodiesAndHeaders } from './bodies.ts'
import { foreignCalls } from './foreign.ts'
import { ordinaryCalls } from './ordinary.ts'
import { builders } from './orm-builders.ts'
import { models } from './orm-models.ts'
import { redis } from './redis.ts'
import { routes } from './routes.ts'
import { signatures } from './signatures.ts'
import { statements } from './statements.ts'
import { transactions } from './transactions.ts'

/** In turn: the first that knows the call decides what it does. */
const recognisers: readonly Recogniser[] = [
  required,
  answers,
  transactions,
  statements,
  signatures,
  bodiesAndHeaders,
  redis,
  foreignCalls,
  routes,
  builders,
  models,
]

/** What a call does that is not in the project. */
export function recognise(machine: Machine, chain: Chain): Value {
  for (const recogniser of recognisers) {
    const value = recogniser(machine, chain)
    if (value !== undefined) return value
  }
  return ordinaryCalls(machine, chain)
}

function required(machine: Machine, { rootName, links }: Chain): Value | undefined {
  const specifier = textOf(links[0]?.values?.[0])
  const isWhole = rootName === 'require' && links.length === 1 && links[0]?.name === undefined
  return isWhole && specifier !== undefined ? machine.project.required(machine.file, specifier) : undefined
}
