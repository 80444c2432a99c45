import { type Chain, lastCall, linkNamed, type Recogniser } from '../run/chain.ts'
import { emit, type Machine } from '../run/machine.ts'
import { has, holds, literal, tagged, unknown, type Value } from '../run/value.ts'

/** Cryptography: what is signed, what is hashed, and what is compared how. */
export const signatures: Recogniser = (machine, chain) =>
  hashes(machine, chain) ?? verifications(machine, chain) ?? comparisons(machine, chain)

const body = ['raw-body', 'parsed-body', 'request-body', 'written-again', 'event'] as const

/** `createHmac(…).update(…).digest()`, and the same in parts. */
function hashes(machine: Machine, chain: Chain): Value | undefined {
  const { rootName, links, root } = chain
  const first = links.find(({ values }) => values !== undefined)
  const name = first?.name ?? rootName
  const starts = name === 'createHmac' ? 'hmac' : name === 'createHash' ? 'hash' : undefined
  const kind = starts ?? (has(root, 'hmac') ? 'hmac' : has(root, 'hash') ? 'hash' : undefined)
  if (kind === undefined) return named(chain, name)
  const updates = links.flatMap((link) => (link.name === 'update' ? (link.values?.slice(0, 1) ?? []) : []))
  if (kind === 'hmac')
    for (const [index, over] of updates.entries())
      emit(machine, links.filter((link) => link.name === 'update')[index]?.node ?? chain.node, { kind: 'verify', over })
  const hasBody = has(root, 'body-hash') || updates.some((value) => holds(value, ...body) && !holds(value, 'event-id'))
  const isDone = linkNamed(chain, 'digest') !== undefined
  if (kind === 'hmac') return isDone ? tagged('digest') : { ...tagged('hmac'), label: root.label }
  if (!isDone) return hasBody ? tagged('hash', 'body-hash') : tagged('hash')
  return hasBody ? tagged('body-hash') : unknown
}

/** `sha256(body)`, `md5(JSON.stringify(payload))`, `objectHash(event)`. */
function named({ links }: Chain, name: string | undefined): Value | undefined {
  const values = links.at(-1)?.values
  if (
    name === undefined ||
    values === undefined ||
    !/^(?:sha\d*|md5|hash|objectHash|hashBody|hashPayload|checksum|fingerprint)$/i.test(name)
  )
    return undefined
  return values.some((value) => holds(value, ...body) && !holds(value, 'event-id')) ? tagged('body-hash') : unknown
}

const verifiers =
  /^(?:constructEvent(?:Async)?|verify(?:Webhook|Signature|Hmac|AndReceive)?|validateRequest(?:WithBody)?|validateWebhook|unwrap)$/

/** Libraries of providers that check a signature, and give the event. */
function verifications(machine: Machine, chain: Chain): Value | undefined {
  const last = lastCall(chain)
  const name = last?.name ?? chain.rootName ?? ''
  const values = last?.values ?? []
  if (!verifiers.test(name)) return undefined
  const isSigned =
    values.some((value) => holds(value, 'signature', 'headers', 'request')) || name.startsWith('constructEvent')
  if (!isSigned) return undefined
  emit(machine, chain.node, { kind: 'verify', over: values.find((value) => holds(value, ...body)) })
  return tagged('event')
}

/** `timingSafeEqual` takes as long whatever it finds; `equals` and `includes` do not. */
function comparisons(machine: Machine, chain: Chain): Value | undefined {
  const last = lastCall(chain)
  const name = last?.name ?? chain.rootName
  if (name === 'timingSafeEqual') {
    emit(machine, chain.node, { kind: 'verify', over: undefined })
    return unknown
  }
  const [other, second] = last?.values ?? []
  if (other === undefined || last === undefined) return undefined
  if (name === 'compare' && chain.rootName === 'Buffer' && second !== undefined) {
    emit(machine, chain.node, { kind: 'compare', left: other, right: second })
    return unknown
  }
  if (!['equals', 'includes', 'localeCompare', 'startsWith', 'endsWith', 'isEqual'].includes(name ?? ''))
    return undefined
  const isText = name !== 'equals' && other.literal !== undefined
  if (chain.links.length === 1 && !isText)
    emit(machine, chain.node, { kind: 'compare', left: chain.root, right: other })
  return chain.links.length === 1 ? literal(true) : undefined
}
