import { OncehookError } from '../errors.ts'

export function guardUnavailable(key: string, cause: unknown): OncehookError {
  return new OncehookError(
    'ONCEHOOK_GUARD_UNAVAILABLE',
    `Redis could not be asked about "${key}", so nothing was run. Try again once it can be reached.`,
    { cause },
  )
}

export function guardUnrecorded(key: string, cause: unknown): OncehookError {
  return new OncehookError(
    'ONCEHOOK_GUARD_UNRECORDED',
    `The work for "${key}" ran, but Redis could not be told of it, so the next call may run it again. ` +
      'Whatever it does outside should know its fence, or be harmless when it is done twice.',
    { cause },
  )
}

export function guardTimedOut(key: string, seconds: number): OncehookError {
  return new OncehookError(
    'ONCEHOOK_GUARD_TIMED_OUT',
    `The work for "${key}" did not settle within ${seconds} s. Its claim runs out, and the next call may run it again. ` +
      'Give slow calls a deadline (the work is passed an AbortSignal), or raise timeoutSeconds.',
  )
}

/** The reason of the signal that the work is given. */
export function claimLost(key: string): OncehookError {
  return new OncehookError(
    'ONCEHOOK_LEASE_LOST',
    `The claim on "${key}" ran out, or may have, so another call may be running the work by now. ` +
      'If this happens often, the process is blocked for longer than leaseSeconds, or Redis is away for as long.',
  )
}

export function unkeptResult(key: string, mistake: string): OncehookError {
  return new OncehookError(
    'ONCEHOOK_INVALID_EFFECT',
    `The result of the work for "${key}" ${mistake}, so the work counts as done without a result. Return something smaller, such as a key.`,
  )
}
