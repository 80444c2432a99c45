import { lastCall, linkNamed, type Recogniser } from '../run/chain.ts'
import { emit } from '../run/machine.ts'
import { has, unknown } from '../run/value.ts'

const senders = ['send', 'json', 'end', 'sendStatus', 'redirect', 'jsonp', 'respond']

/** `res.status(200).json(…)` and its like. What a function returns as its answer is sent when it ends. */
export const answers: Recogniser = (machine, chain) => {
  if (!has(chain.root, 'response')) return undefined
  const sender = linkNamed(chain, ...senders)
  if (sender === undefined) return lastCall(chain) === undefined ? undefined : chain.root
  const coded = linkNamed(chain, 'status', 'code', 'writeHead', 'sendStatus')?.values?.[0]
  const status = typeof coded?.literal === 'number' ? coded.literal : coded === undefined ? 200 : undefined
  emit(machine, chain.node, { kind: 'answer', status })
  return unknown
}
