import { isPermanent } from '../errors.ts'
import type { RegisteredHandler } from './handler-registry.ts'
import type { RunResult } from './run-handler.ts'

/** A run that did not succeed. */
export type StoppedRun = Exclude<RunResult, { kind: 'ran' }>

/** The part of a handler that decides about another attempt. */
export type RetryPolicy = Pick<RegisteredHandler<never>, 'maxAttempts' | 'backoff'>

/** What to do with an event whose handlers did not all succeed. */
export type NextStep =
  | { readonly kind: 'retrying'; readonly seconds: number; readonly error: string }
  | { readonly kind: 'deferred'; readonly seconds: number; readonly error: string }
  | { readonly kind: 'dead'; readonly error: string }

export type EventAge = { readonly attempt: number; readonly ageSeconds: number; readonly maximumDeferSeconds: number }

/** Retried as long as one failed handler may still succeed; deferred if none failed; dead otherwise. */
export function nextStep(
  stopped: readonly { readonly result: StoppedRun; readonly policy: RetryPolicy }[],
  age: EventAge,
): NextStep {
  const failed = stopped.flatMap(({ result, policy }) =>
    result.kind === 'threw' ? [{ ...result, text: result.run.error ?? '', policy }] : [],
  )
  const hopeful = failed.filter(({ error, policy }) => !isPermanent(error) && age.attempt < policy.maxAttempts)
  const deferred = stopped.flatMap(({ result }) => (result.kind === 'deferred' ? [result] : []))

  const [retryable] = hopeful
  if (retryable !== undefined) {
    const delays = hopeful.map(({ policy, afterSeconds = 0 }) => Math.max(afterSeconds, policy.backoff(age.attempt)))
    const seconds = Math.max(0, Math.min(...delays))
    return { kind: 'retrying', seconds, error: retryable.text }
  }
  const [failure] = failed
  if (failure !== undefined) return { kind: 'dead', error: failure.text }

  const seconds = Math.min(...deferred.map((result) => result.seconds))
  const reason = deferred.map((result) => result.reason).join('; ')
  if (age.ageSeconds + seconds <= age.maximumDeferSeconds) return { kind: 'deferred', seconds, error: reason }
  const days = Math.round(age.ageSeconds / 864) / 100
  return { kind: 'dead', error: `Deferred until it was ${days} days old, the last time because: ${reason}` }
}
