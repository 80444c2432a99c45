import { hash } from 'node:crypto'
import { createOptionCheck } from '../check-options.ts'
import { type Clock, systemClock } from '../clock.ts'
import { describeError } from '../errors.ts'
import type { Cache, CacheKey, CacheNotice, RememberedReceipt } from '../receipt/cache.ts'
import { createCircuit } from './circuit.ts'
import { clientAdvice, createRedisCommands, isRedisClient, type RedisClient } from './client.ts'
import { createGather } from './gather.ts'
import { createScript } from './scripts.ts'

/** The options of `redisCache`. */
export type RedisCacheOptions = {
  /** What every key begins with. Default `oncehook`. */
  readonly prefix?: string
  /** How long a receipt is remembered. Default a day, at most seven. */
  readonly rememberSeconds?: number
  /** How long a delivery waits for Redis before it asks the database instead. Default 5. */
  readonly deadlineMilliseconds?: number
  readonly clock?: Clock
}

/** How often Redis helped, since this process began. */
export type RedisCacheCounts = {
  /** Deliveries that it knew. */
  readonly known: number
  /** Deliveries that it did not know. */
  readonly unknown: number
  /** Deliveries that it was not asked about, or did not answer for in time. */
  readonly bypassed: number
  readonly remembered: number
  /** Receipts that it could not be told of. */
  readonly notRemembered: number
}

/** Redis in front of the database: see `Cache`. */
export type RedisCache = Cache & { readonly counts: () => RedisCacheCounts }

/** Nobody waits for what is remembered, so it may take longer. */
const rememberDeadlineMilliseconds = 1000
const mostInOneCommand = 500

const rememberScript = `
for index, key in ipairs(KEYS) do redis.call('set', key, ARGV[index + 1], 'ex', ARGV[1]) end
return #KEYS`

type Question = {
  readonly key: RedisKey
  readonly answer: (remembered: RememberedReceipt | undefined) => void
}

type Entry = { readonly key: string; readonly value: string }

/**
 * Remembers committed receipts in Redis. Whatever becomes of Redis, outcomes stay the same: what it does not know, or does not say within
 * a few milliseconds, is asked of the database.
 */
export function redisCache(client: RedisClient, options: RedisCacheOptions = {}): RedisCache {
  checkCacheOptions(client, options)
  const { prefix = 'oncehook', rememberSeconds = 86_400, deadlineMilliseconds = 5, clock = systemClock } = options
  const commands = createRedisCommands(client)
  const setScript = createScript(commands, rememberScript)
  const redisKeys = new WeakMap<CacheKey, RedisKey>()
  const listeners: ((notice: CacheNotice) => void)[] = []
  const tell = (notice: CacheNotice): void => listeners.forEach((listener) => listener(notice))
  const counts = { known: 0, unknown: 0, bypassed: 0, remembered: 0, notRemembered: 0 }
  // Apart from each other, because a full Redis answers and takes nothing.
  const asking = createCircuit({ clock, deadlineMilliseconds, ...tellerOf(tell, askingTexts) })
  const telling = createCircuit({
    clock,
    deadlineMilliseconds: Math.max(rememberDeadlineMilliseconds, deadlineMilliseconds),
    ...tellerOf(tell, tellingTexts),
  })
  const ask = createGather<Question>((questions) => void askAll(questions), mostInOneCommand)
  const setSoon = createGather<Entry>((entries) => void rememberAll(entries), mostInOneCommand)

  return {
    recall(key) {
      const redisKey = redisKeyOf(prefix, key)
      // What is asked for and not known is often to be remembered soon after, under the same key.
      redisKeys.set(key, redisKey)
      return new Promise((answer) => ask({ key: redisKey, answer }))
    },
    remember(key, receipt) {
      const redisKey = redisKeys.get(key) ?? redisKeyOf(prefix, key)
      setSoon({ key: redisKey.name, value: encode(redisKey, receipt) })
    },
    rememberSeconds,
    subscribe: (listener) => void listeners.push(listener),
    counts: () => ({ ...counts }),
  }

  async function askAll(questions: readonly Question[]): Promise<void> {
    const values = await asking.run(() => getAll(questions.map(({ key }) => key.name)))
    questions.forEach(({ key, answer }, index) => {
      const remembered = decode(key, values?.[index])
      if (values === undefined) counts.bypassed += 1
      else if (remembered === undefined) counts.unknown += 1
      else counts.known += 1
      answer(remembered)
    })
  }

  async function rememberAll(entries: readonly Entry[]): Promise<void> {
    const done = await telling.run(() => Promise.all(slotsOf(entries).map(setTogether)))
    if (done === undefined) counts.notRemembered += entries.length
    else counts.remembered += entries.length
  }

  async function getAll(keys: readonly string[]): Promise<readonly unknown[]> {
    const answers = await Promise.all(slotsOf(keys).map((some) => commands.send(['MGET', ...some], some[0])))
    return answers.flat()
  }

  function setTogether(entries: readonly Entry[]): Promise<unknown> {
    const keys = entries.map(({ key }) => key)
    return setScript(keys, [String(rememberSeconds), ...entries.map(({ value }) => value)])
  }

  /** In a cluster each key is in a slot of its own, and one command is for one slot. */
  function slotsOf<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
    return commands.isCluster ? items.map((item) => [item]) : [items]
  }
}

type EpisodeTexts = { readonly begins: string; readonly ends: string }

const askingTexts: EpisodeTexts = {
  begins: 'Redis does not answer in time, so it is left out, and every duplicate is looked up in the database.',
  ends: 'Redis answers again, so duplicates are looked up there first.',
}

const tellingTexts: EpisodeTexts = {
  begins: 'Redis does not take new receipts, so their duplicates are looked up in the database.',
  ends: 'Redis takes new receipts again.',
}

function tellerOf(
  tell: (notice: CacheNotice) => void,
  { begins, ends }: EpisodeTexts,
): { readonly onOpen: (reason: unknown) => void; readonly onClose: () => void } {
  return {
    onOpen: (reason) => tell({ level: 'warning', message: begins, error: describeError(reason) }),
    onClose: () => tell({ level: 'info', message: ends }),
  }
}

type RedisKey = { readonly name: string; readonly mark: string }

/** Of a fixed size, and tells nothing of the event to whoever looks into Redis. */
function redisKeyOf(prefix: string, { ledger, environment, source, eventId }: CacheKey): RedisKey {
  const digest = hash('sha256', JSON.stringify([ledger, environment, source, eventId]), 'base64url')
  return { name: `${prefix}:receipt:${digest}`, mark: digest.slice(0, markLength) }
}

/** A part of the key, so that an answer that was meant for another question is never believed. */
const markLength = 8
const hashBytes = 32
/** 32 bytes as base64url. */
const hashLength = 43

function encode({ mark }: RedisKey, { receiptId, bodyHash }: RememberedReceipt): string {
  return `${mark}${Buffer.from(bodyHash).toString('base64url')}${receiptId}`
}

/** Undefined for whatever is not as `encode` makes it for this key. */
function decode({ mark }: RedisKey, value: unknown): RememberedReceipt | undefined {
  if (typeof value !== 'string' || !value.startsWith(mark) || !/^[\w-]{52,120}$/.test(value)) return undefined
  const bodyHash = Buffer.from(value.slice(markLength, markLength + hashLength), 'base64url')
  if (bodyHash.byteLength !== hashBytes) return undefined
  return { bodyHash, receiptId: value.slice(markLength + hashLength) }
}

function checkCacheOptions(client: unknown, options: RedisCacheOptions): void {
  const { prefix, rememberSeconds, deadlineMilliseconds } = options
  const { demand, demandNumber, end } = createOptionCheck('redisCache')
  demand(isRedisClient(client), `the client is missing: ${clientAdvice}.`)
  demand(prefix === undefined || isPrefix(prefix), 'prefix must be a text of 1 to 100 characters without spaces.')
  demandNumber('rememberSeconds', rememberSeconds, { atLeast: 1, atMost: 7 * 86_400, isWhole: true })
  demandNumber('deadlineMilliseconds', deadlineMilliseconds, { atLeast: 1, atMost: 1000 })
  end()
}

function isPrefix(prefix: unknown): boolean {
  return typeof prefix === 'string' && /^\S{1,100}$/.test(prefix)
}
