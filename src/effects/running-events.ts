import { LazyAbort } from '../abort.ts'
import { type Clock, callAfter } from '../clock.ts'

/** Copies of an event that runs in this process wait for its end here, without a connection. */
export type RunningEvents<Result> = {
  /** What is running under one of these keys, if anything. */
  readonly get: (keys: readonly string[]) => Promise<Result | undefined> | undefined
  /** Runs the work under the keys. What waits is told its result, or undefined if it failed. */
  readonly run: (keys: readonly string[], work: () => Promise<Result>) => Promise<Result>
}

export function createRunningEvents<Result>(): RunningEvents<Result> {
  const running = new Map<string, Promise<Result | undefined>>()
  return {
    get: (keys) => keys.map((key) => running.get(key)).find((other) => other !== undefined),
    async run(keys, work) {
      const started = work()
      const told = started.catch(() => undefined)
      for (const key of keys) running.set(key, told)
      try {
        return await started
      } finally {
        for (const key of keys) if (running.get(key) === told) running.delete(key)
      }
    },
  }
}

/** Without a reason of ours an error with a stack is made for every one. */
const over = 'The time is over.'

/** What is aborted after the given time, and a function that ends the waiting for it. */
export function createDeadline(
  clock: Clock,
  milliseconds: number,
): { readonly deadline: LazyAbort; readonly cancel: () => void } {
  const deadline = new LazyAbort()
  return { deadline, cancel: callAfter(clock, milliseconds, () => deadline.abort(over)) }
}

/** The promise's value, or undefined once it is aborted. */
export function untilAborted<Value>(promise: Promise<Value>, abort: LazyAbort): Promise<Value | undefined> {
  if (abort.isAborted) return Promise.resolve(undefined)
  return new Promise((resolve, reject) => {
    const forget = abort.onAbort(() => resolve(undefined))
    promise.then(
      (value) => {
        forget()
        resolve(value)
      },
      (error: Error) => {
        forget()
        reject(error)
      },
    )
  })
}

/** Pauses before asking again, each longer than the one before. They end early with the signal. */
export function createPauses(clock: Clock, random: () => number): (signal: AbortSignal) => Promise<void> {
  let milliseconds = 10
  return async (signal) => {
    await clock.wait(milliseconds * (0.5 + random()), signal)
    milliseconds = Math.min(250, milliseconds * 2)
  }
}
