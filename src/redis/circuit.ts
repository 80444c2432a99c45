import type { Clock } from '../clock.ts'

/** Lets calls pass for as long as they are answered in time, and then only one now and then to see whether they are again. */
export type Circuit = {
  /** What the call answered. Undefined if it failed, was late, or was not made at all. Never rejects. */
  readonly run: <Value>(call: () => Promise<Value>) => Promise<Value | undefined>
}

export type CircuitOptions = {
  readonly clock: Clock
  readonly deadlineMilliseconds: number
  /** Told when calls begin to be left out, and why. */
  readonly onOpen: (reason: unknown) => void
  /** Told when they are made again. */
  readonly onClose: () => void
}

/** So many in a row that fail or are late, and no more are made. */
const failuresToOpen = 3
const firstPauseMilliseconds = 1000
const longestPauseMilliseconds = 30_000
/** A client keeps what it could not send; beyond this nothing is added to it. */
const mostUnderWay = 16

type Ended<Value> =
  | { readonly kind: 'answered'; readonly value: Value }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'late' }

export function createCircuit({ clock, deadlineMilliseconds, onOpen, onClose }: CircuitOptions): Circuit {
  let failures = 0
  let underWay = 0
  /** Set while calls are left out: when the next one is tried, and how long the pause after that one is. */
  let open: { tryAt: number; pauseMilliseconds: number } | undefined

  return {
    async run(call) {
      if (underWay >= mostUnderWay) return undefined
      if (open !== undefined) {
        // Nobody waits for the trial.
        if (open.tryAt <= now()) void tryAgain(open, call)
        return undefined
      }
      const ended = await inTime(call)
      note(ended)
      return ended.kind === 'answered' ? ended.value : undefined
    },
  }

  async function tryAgain(state: NonNullable<typeof open>, call: () => Promise<unknown>): Promise<void> {
    state.tryAt = now() + state.pauseMilliseconds
    state.pauseMilliseconds = Math.min(longestPauseMilliseconds, state.pauseMilliseconds * 2)
    const ended = await inTime(call)
    if (ended.kind !== 'answered' || open !== state) return
    open = undefined
    failures = 0
    onClose()
  }

  function note(ended: Ended<unknown>): void {
    failures = ended.kind === 'answered' ? 0 : failures + 1
    if (failures < failuresToOpen || open !== undefined) return
    open = { tryAt: now() + firstPauseMilliseconds, pauseMilliseconds: firstPauseMilliseconds }
    onOpen(ended.kind === 'failed' ? ended.error : new Error(`no answer within ${deadlineMilliseconds} ms`))
  }

  async function inTime<Value>(call: () => Promise<Value>): Promise<Ended<Value>> {
    const isOver = new AbortController()
    underWay += 1
    const ended = startOf(call).then(
      (value): Ended<Value> => ({ kind: 'answered', value }),
      (error: unknown): Ended<Value> => ({ kind: 'failed', error }),
    )
    void ended.then(({ kind }) => {
      underWay -= 1
      isOver.abort()
      // An answer that was late all the same says that there are answers again.
      if (kind === 'answered' && open !== undefined) open.tryAt = now()
    })
    return Promise.race([ended, lateness(isOver.signal)])
  }

  /** What has arrived while this process itself was busy is not late: it is read first. */
  async function lateness(isOver: AbortSignal): Promise<{ readonly kind: 'late' }> {
    await clock.wait(deadlineMilliseconds, isOver)
    await new Promise((resolve) => setImmediate(resolve))
    return { kind: 'late' }
  }

  function now(): number {
    return clock.now().getTime()
  }
}

async function startOf<Value>(call: () => Promise<Value>): Promise<Value> {
  return call()
}
