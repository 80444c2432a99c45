import { lastCall, type Recogniser, wordsOf } from '../run/chain.ts'
import { emit } from '../run/machine.ts'
import { holds, memberNamed, textOf, unknown, type Value, withTags } from '../run/value.ts'

const kinds: ReadonlyMap<string, 'lookup' | 'record' | 'erase'> = new Map(
  Object.entries({
    get: 'lookup',
    exists: 'lookup',
    sismember: 'lookup',
    hget: 'lookup',
    hexists: 'lookup',
    set: 'record',
    setnx: 'record',
    setex: 'record',
    sadd: 'record',
    hset: 'record',
    hsetnx: 'record',
    del: 'erase',
    unlink: 'erase',
  } as const),
)

/** Keys in Redis, by what the client is called or by the words of the command. */
export const redis: Recogniser = (machine, chain) => {
  const last = lastCall(chain)
  const name = last?.name?.toLowerCase() ?? ''
  const kind = kinds.get(name)
  const [key, ...others] = last?.values ?? []
  if (kind === undefined || last === undefined || key === undefined) return undefined
  const options = others.map((value) => textOf(value)?.toUpperCase())
  const isExclusive = options.includes('NX') || others.some((value) => memberNamed(value, 'NX', 'nx') !== undefined)
  const soundsLikeRedis = /redis|valkey|upstash|\bkv\b|cache/i.test(
    wordsOf({ ...chain, links: chain.links.slice(0, -1) }),
  )
  if (!soundsLikeRedis && !isExclusive) return undefined
  const expires =
    name === 'setex' ||
    options.some((word) => word === 'EX' || word === 'PX') ||
    others.some((value) => memberNamed(value, 'EX', 'PX', 'ex', 'px', 'expiration', 'ttl') !== undefined)
  const isAtomic = isExclusive || ['setnx', 'hsetnx', 'sadd'].includes(name)
  const step = emit(machine, last.node, {
    kind,
    table: keyPattern(key),
    isNameSure: true,
    store: 'redis',
    fate: 'alone',
    key: withTags(key),
    isAtomic,
    // A value that is more than a mark, such as a token or a state, may be part of something better.
    isReceipt: kind === 'record' && isAtomic && !isMark(others[0]),
    expires,
  })
  return step === undefined ? unknown : { ...unknown, about: new Map([[step.number, 'present']]) }
}

/** The key without what differs from event to event. */
function keyPattern(key: Value): string {
  const text = textOf(key)
  if (text !== undefined) return `redis ${text.replaceAll(/\$\d+/g, '…')}`
  return `redis ${key.label ?? '…'}`
}

/** A value that says nothing but "seen". */
function isMark(value: Value | undefined): boolean {
  if (value === undefined) return true
  if (value.literal !== undefined) return !/process|pending|progress|lock/i.test(String(value.literal))
  return !holds(value, 'event') && value.label === undefined && value.members === undefined
}
