import { randomUUID } from 'node:crypto'
import type { Clock } from '../clock.ts'
import { describeError, isPermanent } from '../errors.ts'
import { claimLost, guardTimedOut, guardUnavailable, guardUnrecorded, unkeptResult } from './guard-errors.ts'
import type { Claimed, GuardCommands, Held, Release, Times } from './guard-scripts.ts'
import type { GuardContext, GuardOutcome, GuardRunOptions } from './guard-types.ts'
import type { Patience } from './patience.ts'

export type GuardParts = {
  readonly commands: GuardCommands
  readonly clock: Clock
  readonly patience: Patience
  /** How long one command may take. */
  readonly commandMilliseconds: number
}

export type GuardRun<Result> = {
  /** As the user gave it, for messages. */
  readonly key: string
  readonly redisKey: string
  readonly work: (context: GuardContext) => Promise<Result> | Result
  readonly settings: Required<GuardRunOptions>
}

type WorkEnd<Result> =
  | { readonly kind: 'returned'; readonly result: Result }
  | { readonly kind: 'threw'; readonly error: unknown }
  | { readonly kind: 'timed_out' }

const longestResultBytes = 65_536
const longestError = 500

/** Claims the key, runs the work under the claim, and records how it ended. */
export async function runGuarded<Result>(parts: GuardParts, run: GuardRun<Result>): Promise<GuardOutcome<Result>> {
  const { commands, clock, patience, commandMilliseconds } = parts
  const { key, redisKey, work, settings } = run
  const { leaseSeconds, keepSeconds, maxAttempts, whenBusy, waitSeconds, timeoutSeconds } = settings
  const leaseMilliseconds = Math.round(leaseSeconds * 1000)
  const keepMilliseconds = Math.round(keepSeconds * 1000)
  const times: Times = { leaseMilliseconds, keepMilliseconds }
  const token = randomUUID()
  /** When the claim was asked for that Redis last granted: it holds at least from then. */
  let grantedAt = now()

  const claimed = await claimOrWait()
  switch (claimed.kind) {
    case 'claimed':
      return runClaimed(heldBy(claimed))
    case 'done':
      return { kind: 'known', result: parsed(claimed.result) as Result }
    case 'busy':
      return { kind: 'busy', retryAfterSeconds: Math.ceil(claimed.millisecondsLeft / 1000) }
    case 'dead':
      return claimed
  }

  async function claimOrWait(): Promise<Claimed> {
    const giveUpAt = now() + (whenBusy === 'wait' ? waitSeconds * 1000 : 0)
    for (let round = 0; ; round += 1) {
      const said = await claim()
      const left = giveUpAt - now()
      if (said.kind !== 'busy' || left <= 0) return said
      await patience.pause(round, Math.min(left, said.millisecondsLeft + 1))
    }
  }

  async function claim(): Promise<Claimed> {
    grantedAt = now()
    const started = commands.claim(redisKey, token, { ...times, maxAttempts })
    try {
      return await patience.inTime(started, commandMilliseconds)
    } catch (error) {
      void giveBack(started)
      throw guardUnavailable(key, error)
    }
  }

  /** A claim that is granted too late is for nobody: it goes back as if it had never been. */
  async function giveBack(started: Promise<Claimed>): Promise<void> {
    try {
      const late = await started
      if (late.kind === 'claimed') await release(heldBy(late), 'unused')
    } catch {
      // Then its deadline ends it.
    }
  }

  function heldBy({ fence, attempt }: { readonly fence: number; readonly attempt: number }): Held {
    return { key: redisKey, token, fence, attempt }
  }

  async function runClaimed(held: Held): Promise<GuardOutcome<Result>> {
    const abort = new AbortController()
    const ended = new AbortController()
    void keepRenewed(held, abort, ended.signal)
    const end = await endOfWork(held, abort.signal)
    ended.abort()
    switch (end.kind) {
      case 'returned':
        return conclude(held, end.result)
      case 'threw':
        // If Redis cannot be told, the claim runs out by itself.
        await release(held, isPermanent(end.error) ? 'dead' : 'failed', end.error).catch(() => {})
        throw end.error
      case 'timed_out': {
        // The work may still be running, so its claim is not let go but runs out.
        const error = guardTimedOut(key, timeoutSeconds)
        abort.abort(error)
        throw error
      }
    }
  }

  function endOfWork({ fence, attempt }: Held, signal: AbortSignal): Promise<WorkEnd<Result>> {
    const over = new AbortController()
    const working = startOf(() => work({ fence, attempt, signal })).then(
      (result): WorkEnd<Result> => ({ kind: 'returned', result }),
      (error: unknown): WorkEnd<Result> => ({ kind: 'threw', error }),
    )
    const timeUp = clock.wait(timeoutSeconds * 1000, over.signal).then((): WorkEnd<Result> => ({ kind: 'timed_out' }))
    return Promise.race([working, timeUp]).finally(() => over.abort())
  }

  /** Until the work has ended. A claim that was not renewed in time may be another's, also if Redis cannot be asked. */
  async function keepRenewed(held: Held, abort: AbortController, ended: AbortSignal): Promise<void> {
    const everyMilliseconds = leaseMilliseconds / 3
    while (!abort.signal.aborted) {
      await clock.wait(everyMilliseconds, ended)
      if (ended.aborted) return
      const askedAt = now()
      const limit = Math.min(everyMilliseconds, commandMilliseconds)
      const isHeld = await patience.inTime(commands.renew(held, times), limit).catch(() => undefined)
      if (isHeld === true) grantedAt = askedAt
      if (isHeld === false || now() - grantedAt >= leaseMilliseconds) abort.abort(claimLost(key))
    }
  }

  async function conclude(held: Held, result: Result): Promise<GuardOutcome<Result>> {
    const { json, mistake } = jsonOf(result)
    if (!(await record(held, json))) return { kind: 'lost', fence: held.fence }
    if (mistake !== undefined) throw unkeptResult(key, mistake)
    return { kind: 'ran', result, fence: held.fence, attempt: held.attempt }
  }

  /** The work is done, so this is tried for as long as another would have to wait anyway. */
  async function record(held: Held, result: string): Promise<boolean> {
    const giveUpAt = now() + leaseMilliseconds
    for (let round = 0; ; round += 1) {
      try {
        return await patience.inTime(commands.complete(held, { result, keepMilliseconds }), commandMilliseconds)
      } catch (error) {
        if (now() >= giveUpAt) throw guardUnrecorded(key, error)
        await patience.pause(round)
      }
    }
  }

  function release(held: Held, how: Release['how'], reason?: unknown): Promise<boolean> {
    const error = reason === undefined ? '' : describeError(reason).slice(0, longestError)
    return patience.inTime(commands.release(held, { how, error, maxAttempts, keepMilliseconds }), commandMilliseconds)
  }

  function now(): number {
    return clock.now().getTime()
  }
}

async function startOf<Result>(work: () => Promise<Result> | Result): Promise<Result> {
  return work()
}

export function parsed(json: string | undefined): unknown {
  return json === undefined ? undefined : JSON.parse(json)
}

/** Empty for undefined, and for what cannot be kept. */
function jsonOf(result: unknown): { readonly json: string; readonly mistake?: string } {
  try {
    const json = JSON.stringify(result) ?? ''
    if (Buffer.byteLength(json) <= longestResultBytes) return { json }
    return { json: '', mistake: `has more than ${longestResultBytes / 1024} KB as JSON` }
  } catch (error) {
    return { json: '', mistake: `cannot be written as JSON (${error instanceof Error ? error.message : 'unknown'})` }
  }
}
