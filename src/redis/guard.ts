import { createHash } from 'node:crypto'
import { createOptionCheck } from '../check-options.ts'
import { type Clock, systemClock } from '../clock.ts'
import { checkRedis } from './check-redis.ts'
import { clientAdvice, createRedisCommands, isRedisClient, type RedisClient } from './client.ts'
import { guardUnavailable } from './guard-errors.ts'
import { parsed, runGuarded } from './guard-run.ts'
import { createGuardCommands, type Stored } from './guard-scripts.ts'
import type { Guard, GuardRunOptions, GuardState } from './guard-types.ts'
import { createPatience } from './patience.ts'

/** The options of `createGuard`. Those of a run are what each run does unless it says otherwise. */
export type GuardOptions = GuardRunOptions & {
  /** A connected client. It stays yours to close. */
  readonly redis: RedisClient
  /** What every key begins with: guards with different ones know nothing of each other. Default `oncehook`. */
  readonly prefix?: string
  /** How long one command to Redis may take. Default 5. */
  readonly commandSeconds?: number
  readonly clock?: Clock
  /** Numbers from 0 to 1, for jitter. */
  readonly random?: () => number
}

const defaults: Required<GuardRunOptions> = {
  leaseSeconds: 30,
  keepSeconds: 7 * 86_400,
  maxAttempts: 12,
  whenBusy: 'wait',
  waitSeconds: 10,
  timeoutSeconds: 300,
}

const longestKey = 1000

/** For those who have Redis and no SQL database. What it can promise, and what not, is in docs/redis. */
export function createGuard(options: GuardOptions): Guard {
  checkGuardOptions(options)
  const { redis, prefix = 'oncehook', commandSeconds = 5, clock = systemClock, random = Math.random } = options
  const commands = createGuardCommands(createRedisCommands(redis))
  const commandMilliseconds = commandSeconds * 1000
  const patience = createPatience(clock, random)
  const parts = { commands, clock, patience, commandMilliseconds }
  const ofGuard = { ...defaults, ...given(options) }

  return {
    async run(key, work, runOptions = {}) {
      const settings = { ...ofGuard, ...given(runOptions) }
      checkRun(key, settings)
      return runGuarded(parts, { key, redisKey: redisKeyOf(key), work, settings })
    },
    look: async (key) => stateOf(await ask(key, commands.look)),
    forget: (key) => ask(key, commands.forget),
    check: () => checkRedis(redis, 'guard'),
  }

  async function ask<Answer>(key: string, command: (redisKey: string) => Promise<Answer>): Promise<Answer> {
    checkRun(key, ofGuard)
    try {
      return await patience.inTime(command(redisKeyOf(key)), commandMilliseconds)
    } catch (error) {
      throw guardUnavailable(key, error)
    }
  }

  /** One key for everything that is known of it: scripts on it work in a cluster too. */
  function redisKeyOf(key: string): string {
    return `${prefix}:guard:${createHash('sha256').update(key).digest('base64url')}`
  }
}

/** Without what is undefined, which would hide a default. */
function given({
  leaseSeconds,
  keepSeconds,
  maxAttempts,
  whenBusy,
  waitSeconds,
  timeoutSeconds,
}: GuardRunOptions): GuardRunOptions {
  return {
    ...(leaseSeconds !== undefined && { leaseSeconds }),
    ...(keepSeconds !== undefined && { keepSeconds }),
    ...(maxAttempts !== undefined && { maxAttempts }),
    ...(whenBusy !== undefined && { whenBusy }),
    ...(waitSeconds !== undefined && { waitSeconds }),
    ...(timeoutSeconds !== undefined && { timeoutSeconds }),
  }
}

function stateOf(stored: Stored | undefined): GuardState {
  if (stored === undefined) return { kind: 'unknown' }
  const { state, fence, attempts, error, millisecondsLeft, result } = stored
  switch (state) {
    case 'processing':
      return { kind: state, fence, attempts, secondsLeft: millisecondsLeft / 1000 }
    case 'done':
      return { kind: state, fence, attempts, result: parsed(result) }
    case 'free':
    case 'dead':
      return { kind: state, attempts, error }
  }
}

function checkRun(key: unknown, settings: Required<GuardRunOptions>): void {
  const check = createOptionCheck('guard.run')
  const isKey = typeof key === 'string' && key !== '' && key.length <= longestKey && key.isWellFormed()
  check.demand(isKey, `the key must be a text of 1 to ${longestKey} characters.`)
  demandRunOptions(check, settings)
  check.end()
}

function checkGuardOptions(options: GuardOptions): void {
  const { redis, prefix, commandSeconds } = options
  const check = createOptionCheck('The guard')
  check.demand(isRedisClient(redis), `redis is missing: ${clientAdvice}.`)
  const isPrefix = prefix === undefined || (typeof prefix === 'string' && /^\S{1,100}$/.test(prefix))
  check.demand(isPrefix, 'prefix must be a text of 1 to 100 characters without spaces.')
  check.demandNumber('commandSeconds', commandSeconds, { atLeast: 0.01, atMost: 60 })
  demandRunOptions(check, { ...defaults, ...given(options) })
  check.end()
}

function demandRunOptions(check: ReturnType<typeof createOptionCheck>, settings: Required<GuardRunOptions>): void {
  const { leaseSeconds, keepSeconds, maxAttempts, whenBusy, waitSeconds, timeoutSeconds } = settings
  check.demandNumber('leaseSeconds', leaseSeconds, { atLeast: 0.05, atMost: 86_400 })
  check.demandNumber('keepSeconds', keepSeconds, { atLeast: 1, atMost: 366 * 86_400 })
  check.demandNumber('maxAttempts', maxAttempts, { atLeast: 1, atMost: 1000, isWhole: true })
  check.demandNumber('waitSeconds', waitSeconds, { atLeast: 0, atMost: 3600 })
  check.demandNumber('timeoutSeconds', timeoutSeconds, { atLeast: 0.01, atMost: 86_400 })
  check.demand(whenBusy === 'wait' || whenBusy === 'refuse', "whenBusy must be 'wait' or 'refuse'.")
  // A claim that is forgotten while it holds could be given to another.
  check.demand(keepSeconds >= 2 * leaseSeconds, 'keepSeconds must be at least twice leaseSeconds.')
}
