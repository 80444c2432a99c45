import { clientAdvice, createRedisCommands, isRedisClient, type RedisClient } from '../redis/client.ts'
import { checkOptionsOf, type DeliveryOptions, demandDeliveryOptions } from './check-options.ts'
import { sendEach } from './result.ts'
import type { OutgoingMessage, Target } from './target.ts'

export type { RedisClient }

/** The options of `redisStream`. */
export type RedisStreamOptions = DeliveryOptions & {
  /** A connected client of ioredis or node-redis. It stays yours to close. */
  readonly client: RedisClient
  /** The key of the stream. */
  readonly stream: string
  /** Trims the stream to about this many entries. Default: it is not trimmed. */
  readonly maxLength?: number
  /** A message that comes again within this time adds nothing. Default 0: consumers dedupe by `idempotency-key`. */
  readonly dedupeSeconds?: number
  /** Messages in one call. Default 100. */
  readonly batchSize?: number
}

/**
 * The key is set after the entry is added, never before: if the entry cannot be added, a key that says it was would lose it.
 * A script runs alone, so no copy comes in between.
 */
const addOnceScript = `
if redis.call('exists', KEYS[2]) == 1 then return false end
local id = redis.call('xadd', KEYS[1], unpack(ARGV, 2))
redis.call('set', KEYS[2], id, 'ex', ARGV[1])
return id`

/** Adds each message to a Redis stream, with the fields `idempotency-key`, `json`, `source`, `event-id`, `receipt-id` and `created-at`. */
export function redisStream(options: RedisStreamOptions): Target {
  const {
    client,
    stream,
    maxLength,
    dedupeSeconds = 0,
    batchSize = 100,
    concurrency = 2,
    timeoutSeconds = 15,
  } = options
  checkRedisOptions(options)
  const { send } = createRedisCommands(client)
  const trimming = maxLength === undefined ? [] : ['MAXLEN', '~', String(maxLength)]

  const add = (message: OutgoingMessage): Promise<unknown> => {
    const entry = [...trimming, '*', ...fieldsOf(message)]
    if (dedupeSeconds === 0) return send(['XADD', stream, ...entry], stream)
    const keys = [stream, dedupeKey(stream, message.idempotencyKey)]
    return send(['EVAL', addOnceScript, String(keys.length), ...keys, String(dedupeSeconds), ...entry], stream)
  }
  return {
    kind: 'redis-stream',
    batchSize,
    concurrency,
    timeoutSeconds,
    // Both clients send commands that are given at once in one go.
    deliver: (messages, signal) => sendEach(messages, signal, add),
  }
}

function fieldsOf({ idempotencyKey, json, createdAt, cause, traceparent }: OutgoingMessage): string[] {
  const fields = {
    'idempotency-key': idempotencyKey,
    json,
    source: cause.source,
    'event-id': cause.eventId,
    'receipt-id': cause.receiptId ?? '',
    'created-at': createdAt.toISOString(),
    ...(traceparent !== undefined && { traceparent }),
  }
  return Object.entries(fields).flat()
}

/** In a cluster, a script may only touch keys of one slot: what stands in braces decides, else the whole key. */
function dedupeKey(stream: string, idempotencyKey: string): string {
  const isTagged = /\{[^}]+\}/.test(stream)
  return `${isTagged ? stream : `{${stream}}`}:oncehook:${idempotencyKey}`
}

function checkRedisOptions(options: RedisStreamOptions): void {
  const { client, stream, maxLength, dedupeSeconds, batchSize } = options
  const check = checkOptionsOf('redisStream')
  check.demand(isRedisClient(client), `client is missing: ${clientAdvice}.`)
  check.demand(typeof stream === 'string' && stream !== '', 'stream is missing: give the key of the stream.')
  check.demandNumber('maxLength', maxLength, { atLeast: 1, atMost: 2 ** 53, isWhole: true })
  check.demandNumber('dedupeSeconds', dedupeSeconds, { atLeast: 0, atMost: 366 * 86_400, isWhole: true })
  check.demandNumber('batchSize', batchSize, { atLeast: 1, atMost: 10_000, isWhole: true })
  demandDeliveryOptions(check, options)
  check.end()
}
