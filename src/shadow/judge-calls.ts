import type { ShadowCall, ShadowedEvent } from '../store/shadow-store.ts'

/** What can be said of an event from outside of its handler. */
export type JudgedEvent = {
  /** Whether the handler was run although one run would have done: beside another one, or after one that had succeeded. */
  readonly again: 'not' | 'at_once' | 'after_success'
  /**
   * `at_first` and `later`: the handler said 2xx, `later` only after it had failed. `running`: it may yet. `open`: it did not, and the
   * provider may send the event again. `given_up`: it did not, and the provider sends it no more.
   */
  readonly end: 'at_first' | 'later' | 'running' | 'open' | 'given_up'
  /** Runs that took longer than the provider waits, or that it did not wait for. */
  readonly late: number
  readonly slowestSeconds: number
  /** Runs that never ended: their process died, or they hang. */
  readonly unended: number
}

export type JudgeFacts = {
  readonly now: Date
  /** How long the provider sends again by itself. */
  readonly retryHours: number
  readonly deadlineSeconds: number | undefined
}

/** A run that has not ended after so long will not. */
const hangingSeconds = 15 * 60

/** With these a handler says that it did nothing because of another run, or for now. */
const refusals = new Set([409, 425, 429, 503])

/** Calls are in the order in which they began. */
export function judgeCalls({ calls }: Pick<ShadowedEvent, 'calls'>, facts: JudgeFacts): JudgedEvent {
  const { now, deadlineSeconds = Number.POSITIVE_INFINITY } = facts
  const ended = calls.filter((call) => !isHanging(call, now))
  const secondsOf = ({ startedAt, endedAt = now }: ShadowCall): number => secondsBetween(startedAt, endedAt)
  return {
    again: againOf(ended),
    end: endOf(calls, facts),
    late: ended.filter((call) => call.ending === 'disconnected' || secondsOf(call) > deadlineSeconds).length,
    slowestSeconds: Math.max(0, ...ended.map(secondsOf)),
    unended: calls.length - ended.length,
  }
}

/** A run that hangs is over as far as others are concerned; when it stopped is not known. */
function againOf(calls: readonly ShadowCall[]): JudgedEvent['again'] {
  const runs = calls.filter(({ status }) => !refusals.has(status ?? 0))
  let again: JudgedEvent['again'] = 'not'
  let lastEnd = 0
  let hasSucceeded = false
  for (const run of runs) {
    if (lastEnd > run.startedAt.getTime()) return 'at_once'
    if (hasSucceeded) again = 'after_success'
    lastEnd = Math.max(lastEnd, run.endedAt?.getTime() ?? Number.POSITIVE_INFINITY)
    hasSucceeded ||= isSuccess(run)
  }
  return again
}

function endOf(calls: readonly ShadowCall[], { now, retryHours }: JudgeFacts): JudgedEvent['end'] {
  const success = calls.findIndex(isSuccess)
  if (success >= 0) return wasSavedByARetry(calls, success) ? 'later' : 'at_first'
  const last = calls.at(-1)
  if (last === undefined) return 'open'
  if (calls.some(({ endedAt, ...call }) => endedAt === undefined && !isHanging({ ...call, endedAt }, now))) {
    return 'running'
  }
  return secondsBetween(last.startedAt, now) > Math.max(retryHours * 3600, hangingSeconds) ? 'given_up' : 'open'
}

/** The first success came only after another call had ended without one. */
function wasSavedByARetry(calls: readonly ShadowCall[], success: number): boolean {
  const began = calls[success]?.startedAt.getTime() ?? 0
  return calls.slice(0, success).some(({ endedAt }) => endedAt === undefined || endedAt.getTime() <= began)
}

function isSuccess({ ending, status = 0 }: ShadowCall): boolean {
  return ending === 'answered' && status >= 200 && status < 300
}

function isHanging({ startedAt, endedAt }: Pick<ShadowCall, 'startedAt' | 'endedAt'>, now: Date): boolean {
  return endedAt === undefined && secondsBetween(startedAt, now) > hangingSeconds
}

function secondsBetween(one: Date, other: Date): number {
  return (other.getTime() - one.getTime()) / 1000
}
