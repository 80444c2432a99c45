import type { RedisCommands } from './client.ts'
import { createScript, type RedisScript } from './scripts.ts'

/** A claim in somebody's hands. The token is its proof; a higher fence for the same key makes it worthless. */
export type Held = { readonly key: string; readonly token: string; readonly fence: number; readonly attempt: number }

/** What Redis says to whoever wants to do the work. */
export type Claimed =
  | { readonly kind: 'claimed'; readonly fence: number; readonly attempt: number }
  | { readonly kind: 'busy'; readonly millisecondsLeft: number }
  | { readonly kind: 'done'; readonly result: string | undefined }
  | { readonly kind: 'dead'; readonly attempts: number; readonly error: string }

/** What is stored of a key. */
export type Stored = {
  readonly state: 'processing' | 'free' | 'done' | 'dead'
  readonly fence: number
  readonly millisecondsLeft: number
  readonly attempts: number
  readonly result: string | undefined
  readonly error: string
}

export type Times = { readonly leaseMilliseconds: number; readonly keepMilliseconds: number }

/** The verbs of a guard. Each is one script on one key, so it happens as a whole or not at all, in a cluster too. */
export type GuardCommands = {
  /** Of any number at once exactly one is told `claimed`, until that claim is let go, done, or its deadline has passed. */
  readonly claim: (key: string, token: string, limits: Times & { readonly maxAttempts: number }) => Promise<Claimed>
  /** Moves the deadline. False if the claim is another's by now. */
  readonly renew: (held: Held, times: Times) => Promise<boolean>
  /** The work is done, for good. False if the claim is another's by now: then nothing changed. */
  readonly complete: (
    held: Held,
    kept: { readonly result: string; readonly keepMilliseconds: number },
  ) => Promise<boolean>
  /** Lets the next one try, or nobody any more. False if the claim is another's by now. */
  readonly release: (held: Held, end: Release) => Promise<boolean>
  readonly look: (key: string) => Promise<Stored | undefined>
  /** Forgets the key. False if somebody is at work on it. */
  readonly forget: (key: string) => Promise<boolean>
}

export type Release = {
  /** `unused`: the work was not begun, so it does not count as an attempt. `dead`: nobody is to try again. */
  readonly how: 'failed' | 'unused' | 'dead'
  readonly error: string
  readonly maxAttempts: number
  readonly keepMilliseconds: number
}

/**
 * The time is Redis' own, because deadlines are compared between processes; tests give theirs as the first parameter. Fences begin with the
 * time in microseconds, so that they go on rising even if Redis has forgotten the key.
 */
const preamble = `
local micros
if ARGV[1] == '' then
  local time = redis.call('time')
  micros = time[1] * 1000000 + time[2]
else
  micros = ARGV[1] * 1000
end
local now = math.floor(micros / 1000)
local key = KEYS[1]
local held = redis.call('hmget', key, 'state', 'token', 'fence', 'until', 'attempts', 'result', 'error')
local state, token = held[1], held[2]
local fence, deadline, attempts = tonumber(held[3] or 0), tonumber(held[4] or 0), tonumber(held[5] or 0)
local function text(number) return string.format('%.0f', number) end
local function keep(milliseconds, ...)
  redis.call('hset', key, ...)
  redis.call('pexpire', key, milliseconds)
end`

/** A claim whose reply was lost is sent again by some clients: the token tells that it is the same one. */
const claimScript = `${preamble}
local mine, lease, keepFor, most = ARGV[2], tonumber(ARGV[3]), ARGV[4], tonumber(ARGV[5])
if state == 'done' then return {'done', held[6] or ''} end
if state == 'processing' and token == mine then
  keep(keepFor, 'until', text(now + lease))
  return {'claimed', text(fence), text(attempts)}
end
if state == 'processing' and deadline > now then return {'busy', text(deadline - now)} end
if state ~= 'dead' and attempts >= most then
  keep(keepFor, 'state', 'dead', 'error', held[7] or 'Its holder vanished.')
  state = 'dead'
end
if state == 'dead' then return {'dead', text(attempts), redis.call('hget', key, 'error') or ''} end
fence = math.max(fence + 1, micros)
attempts = attempts + 1
keep(keepFor, 'state', 'processing', 'token', mine, 'fence', text(fence), 'until', text(now + lease), 'attempts', text(attempts))
return {'claimed', text(fence), text(attempts)}`

/** What Redis has forgotten meanwhile (flushed, evicted, lost in a fail-over) is put back by the one who is at work on it. */
const renewScript = `${preamble}
local mine, lease, keepFor = ARGV[2], tonumber(ARGV[3]), ARGV[4]
if state and (state ~= 'processing' or token ~= mine) then return {'lost'} end
keep(keepFor, 'state', 'processing', 'token', mine, 'fence', ARGV[5], 'until', text(now + lease), 'attempts', ARGV[6])
return {'renewed'}`

const completeScript = `${preamble}
local mine, keepFor, result = ARGV[2], ARGV[3], ARGV[4]
if state == 'done' and token == mine then return {'done'} end
if state and (state ~= 'processing' or token ~= mine) then return {'lost'} end
keep(keepFor, 'state', 'done', 'token', mine, 'fence', ARGV[5], 'attempts', ARGV[6], 'result', result, 'error', '')
return {'done'}`

const releaseScript = `${preamble}
local mine, keepFor, how, reason, most = ARGV[2], ARGV[3], ARGV[4], ARGV[5], tonumber(ARGV[6])
if state ~= 'processing' or token ~= mine then return {'lost'} end
if how == 'unused' then
  keep(keepFor, 'state', 'free', 'attempts', text(attempts - 1))
elseif how == 'dead' or attempts >= most then
  keep(keepFor, 'state', 'dead', 'error', reason)
else
  keep(keepFor, 'state', 'free', 'error', reason)
end
return {'released'}`

const lookScript = `${preamble}
if not state then return {} end
return {state, text(fence), text(math.max(0, deadline - now)), text(attempts), held[6] or '', held[7] or ''}`

const forgetScript = `${preamble}
if state == 'processing' and deadline > now then return {'busy'} end
redis.call('del', key)
return {'forgotten'}`

/** Redis' own time. */
const ownTime = ''

export function createGuardCommands(commands: RedisCommands): GuardCommands {
  const scriptOf = (text: string): ((key: string, parameters: readonly unknown[]) => Promise<readonly string[]>) => {
    const run: RedisScript = createScript(commands, text)
    return async (key, parameters) => {
      const reply = await run([key], [ownTime, ...parameters.map(String)])
      if (!Array.isArray(reply)) throw new TypeError('Redis answered a script with something that is no list.')
      return reply.map(String)
    }
  }
  const scripts = {
    claim: scriptOf(claimScript),
    renew: scriptOf(renewScript),
    complete: scriptOf(completeScript),
    release: scriptOf(releaseScript),
    look: scriptOf(lookScript),
    forget: scriptOf(forgetScript),
  }

  return {
    async claim(key, token, { leaseMilliseconds, keepMilliseconds, maxAttempts }) {
      return claimedOf(await scripts.claim(key, [token, leaseMilliseconds, keepMilliseconds, maxAttempts]))
    },
    async renew({ key, token, fence, attempt }, { leaseMilliseconds, keepMilliseconds }) {
      const [said] = await scripts.renew(key, [token, leaseMilliseconds, keepMilliseconds, fence, attempt])
      return said === 'renewed'
    },
    async complete({ key, token, fence, attempt }, { result, keepMilliseconds }) {
      const [said] = await scripts.complete(key, [token, keepMilliseconds, result, fence, attempt])
      return said === 'done'
    },
    async release({ key, token }, { how, error, maxAttempts, keepMilliseconds }) {
      const [said] = await scripts.release(key, [token, keepMilliseconds, how, error, maxAttempts])
      return said === 'released'
    },
    async look(key) {
      const [state, fence, millisecondsLeft, attempts, result = '', error = ''] = await scripts.look(key, [])
      if (state === undefined) return undefined
      return {
        state: state as Stored['state'],
        fence: Number(fence),
        millisecondsLeft: Number(millisecondsLeft),
        attempts: Number(attempts),
        result: result === '' ? undefined : result,
        error,
      }
    },
    async forget(key) {
      const [said] = await scripts.forget(key, [])
      return said === 'forgotten'
    },
  }
}

function claimedOf([kind, first = '', second = '']: readonly string[]): Claimed {
  switch (kind) {
    case 'claimed':
      return { kind, fence: Number(first), attempt: Number(second) }
    case 'busy':
      return { kind, millisecondsLeft: Number(first) }
    case 'done':
      // JSON is never empty: an empty text is a result of undefined.
      return { kind, result: first === '' ? undefined : first }
    case 'dead':
      return { kind, attempts: Number(first), error: second }
    default:
      throw new TypeError(`Redis answered a claim with ${kind ?? 'nothing'}.`)
  }
}
