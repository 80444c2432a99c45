import { createRedisCommands, type RedisClient, type RedisCommands } from './client.ts'

/** What a Redis is set to, and what of that is wrong for its use. */
export type RedisCheck = {
  readonly facts: Readonly<Record<string, string>>
  readonly warnings: readonly string[]
}

/** `cache`: in front of PostgreSQL, where it may forget. `guard`: alone, where it must not. */
export type RedisUse = 'cache' | 'guard'

const factNames = [
  'redis_version',
  'role',
  'connected_slaves',
  'cluster_enabled',
  'maxmemory',
  'maxmemory_policy',
  'aof_enabled',
] as const

type Facts = Readonly<Record<(typeof factNames)[number] | 'appendfsync', string>>

/** Reads the settings of the server (of a cluster, of one of its servers), and warns of those that are wrong for this use. */
export async function checkRedis(client: RedisClient, use: RedisUse): Promise<RedisCheck> {
  const commands = createRedisCommands(client)
  const report = String(await commands.send(['INFO'], undefined))
  const facts = {
    ...Object.fromEntries(factNames.map((name) => [name, valueIn(report, name)])),
    appendfsync: await readFsync(commands),
  } as Facts
  const warnings = use === 'guard' ? warningsForGuard(facts) : warningsForCache(facts)
  return { facts, warnings: sentencesOf([[facts.role === 'slave', replicaWarning], ...warnings]) }
}

type Warning = readonly [applies: boolean, sentence: string]

const replicaWarning = 'This Redis is a replica and takes no writes. Connect to the primary.'

function warningsForGuard(facts: Facts): readonly Warning[] {
  const { maxmemory_policy: policy, appendfsync } = facts
  const isAppending = facts.aof_enabled === '1'
  return [
    [
      canEvict(facts),
      `maxmemory-policy is ${policy}: when its memory is full, Redis forgets claims and results, and work is done again. Set it to noeviction, or give guards a Redis of their own.`,
    ],
    [
      !isAppending,
      'appendonly is no: a restart forgets claims and results, or falls back to the last snapshot, and work is done again. Set it to yes.',
    ],
    [
      isAppending && appendfsync === 'everysec',
      'appendfsync is everysec: a power cut loses up to a second of claims and results. Set it to always if that is too much.',
    ],
    [
      isAppending && appendfsync === 'no',
      'appendfsync is no: a power cut loses what the system had not written yet, often half a minute. Set it to everysec or always.',
    ],
    [
      Number(facts.connected_slaves) > 0,
      'Replicas follow asynchronously: a fail-over to one loses the claims and results that it had not received.',
    ],
  ]
}

function warningsForCache(facts: Facts): readonly Warning[] {
  const isFull = Number(facts.maxmemory) > 0 && facts.maxmemory_policy === 'noeviction'
  return [
    [
      isFull,
      'maxmemory-policy is noeviction: when its memory is full, Redis takes no new receipts, and their duplicates are looked up in the database. Set it to volatile-ttl or allkeys-lru.',
    ],
  ]
}

function canEvict({ maxmemory, maxmemory_policy: policy }: Facts): boolean {
  return Number(maxmemory) > 0 && policy !== 'noeviction'
}

function sentencesOf(warnings: readonly Warning[]): readonly string[] {
  return warnings.filter(([applies]) => applies).map(([, sentence]) => sentence)
}

function valueIn(report: string, name: string): string {
  return new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(report)?.[1] ?? 'unknown'
}

/** Only CONFIG tells it, which hosted services often forbid. */
async function readFsync({ send }: RedisCommands): Promise<string> {
  try {
    const reply: unknown = await send(['CONFIG', 'GET', 'appendfsync'], undefined)
    // A list of names and values, or with the third version of the protocol an object of them.
    const value: unknown = Array.isArray(reply) ? reply[1] : (reply as Record<string, unknown> | null)?.['appendfsync']
    return typeof value === 'string' ? value : 'unknown'
  } catch {
    return 'unknown'
  }
}
