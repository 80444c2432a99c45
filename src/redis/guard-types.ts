import type { RedisCheck } from './check-redis.ts'

/** Work that is done once for its key, as far as Redis alone can promise that: see docs/redis. */
export type Guard = {
  /**
   * Runs the work, unless it is done, dead or being done. Rejects with whatever the work throws; then the next call may try again.
   * Rejects with `ONCEHOOK_GUARD_UNAVAILABLE` if Redis could not be asked (nothing was run), with `ONCEHOOK_GUARD_UNRECORDED` if it could not
   * be told afterwards.
   */
  readonly run: <Result>(
    key: string,
    work: (context: GuardContext) => Promise<Result> | Result,
    options?: GuardRunOptions,
  ) => Promise<GuardOutcome<Result>>
  /** What is known of a key. */
  readonly look: (key: string) => Promise<GuardState>
  /** Lets the work be run as if for the first time. False, and nothing changed, while somebody is at it. */
  readonly forget: (key: string) => Promise<boolean>
  /** Looks at the settings of Redis, and warns of those that weaken what is promised. For the start-up. */
  readonly check: () => Promise<RedisCheck>
}

/** What the work is given. */
export type GuardContext = {
  /**
   * Higher than that of every claim on the key before. Whatever is written outside should keep it, and refuse to be overwritten by a
   * lower one: a process that was frozen may wake up after another has done the work.
   */
  readonly fence: number
  /** 1, 2, … */
  readonly attempt: number
  /** Aborted when the claim is lost, or may be, and when the time is up. */
  readonly signal: AbortSignal
}

/** What became of a call. */
export type GuardOutcome<Result> =
  /** The work ran and is done, for good. */
  | { readonly kind: 'ran'; readonly result: Result; readonly fence: number; readonly attempt: number }
  /** It was done before. The result is as JSON kept it. */
  | { readonly kind: 'known'; readonly result: Result }
  /** Somebody else is at it. */
  | { readonly kind: 'busy'; readonly retryAfterSeconds: number }
  /** It failed too often, or for good, and will not be tried again. */
  | { readonly kind: 'dead'; readonly attempts: number; readonly error: string }
  /** The work ran, but for so long without a sign of life that another call has taken over. Its result is not kept. */
  | { readonly kind: 'lost'; readonly fence: number }

/** What is known of a key. */
export type GuardState =
  | { readonly kind: 'unknown' }
  /** `secondsLeft`: until another may take over. */
  | { readonly kind: 'processing'; readonly fence: number; readonly attempts: number; readonly secondsLeft: number }
  /** It failed, and the next call may try again. */
  | { readonly kind: 'free'; readonly attempts: number; readonly error: string }
  | { readonly kind: 'done'; readonly fence: number; readonly attempts: number; readonly result: unknown }
  | { readonly kind: 'dead'; readonly attempts: number; readonly error: string }

/** What a guard does, and each of its runs unless it says otherwise. */
export type GuardRunOptions = {
  /** A claim that was not renewed for so long may be taken over. It is renewed three times as often while the work runs. Default 30. */
  readonly leaseSeconds?: number
  /** How long Redis remembers a key after its last change. Default seven days. */
  readonly keepSeconds?: number
  /** Attempts, those of crashed processes included, before the work is dead. Default 12. */
  readonly maxAttempts?: number
  /** While somebody else is at it: `wait` for the end, or `refuse` at once. Default wait. */
  readonly whenBusy?: 'wait' | 'refuse'
  /** How long to wait for somebody else. Default 10. */
  readonly waitSeconds?: number
  /** How long the work may take. Default 300. */
  readonly timeoutSeconds?: number
}
