import { LazyAbort } from './abort.ts'
import type { Clock } from './clock.ts'
import { OncehookError } from './errors.ts'

/** Claims what is due and runs it, so many at once. Asks for nothing while nothing is due. */
export type Pump = {
  readonly start: () => void
  /** No new claims; what runs may finish within the grace, and is then aborted. */
  readonly stop: (graceSeconds: number) => Promise<void>
  /** Something may be due. */
  readonly wake: () => void
}

export type PumpOptions<Item> = {
  /** How many may be in hand at once, as it is now. */
  readonly capacity: () => number
  /** How few are left when more are claimed. Default: as soon as there is room for one. */
  readonly refillAt?: () => number
  readonly clock: Clock
  /** At most so many. Fewer means that no more is due now. */
  readonly claim: (room: number) => Promise<readonly Item[]>
  readonly millisecondsUntilDue: () => Promise<number | undefined>
  /** Never rejects. `again`: something else, or the same at another time, may be due by it. */
  readonly run: (item: Item, abort: LazyAbort) => Promise<'done' | 'again'>
  readonly onOutage: (error: unknown) => void
}

export function createPump<Item>(options: PumpOptions<Item>): Pump {
  const { capacity, clock, claim, millisecondsUntilDue, run, onOutage } = options
  const refillAt = options.refillAt ?? (() => capacity() - 1)
  const active = new Map<Promise<void>, LazyAbort>()
  let timer = new AbortController()
  let isRunning = false
  let isWoken = false
  let isPumping = false
  let failuresInRow = 0

  return {
    wake,
    start() {
      isRunning = true
      wake()
    },
    async stop(graceSeconds) {
      if (!isRunning) return
      isRunning = false
      timer.abort()
      const grace = new AbortController()
      const finished = Promise.all(active.keys()).then(() => grace.abort())
      await clock.wait(graceSeconds * 1000, grace.signal)
      for (const abort of active.values()) abort.abort(stopping())
      await finished
    },
  }

  function wake(): void {
    isWoken = true
    if (!isPumping && hasRoom()) void pump()
  }

  function hasRoom(): boolean {
    return isRunning && active.size <= refillAt()
  }

  /** Claims while something is due and there is room for it; then sleeps until the next due time or a call. */
  async function pump(): Promise<void> {
    isPumping = true
    timer.abort()
    try {
      while (isWoken && hasRoom()) {
        isWoken = false
        const room = capacity() - active.size
        const items = await claim(room)
        for (const item of items) begin(item)
        if (items.length === room) isWoken = true
        else if (!isWoken) await sleepUntilDue()
      }
      failuresInRow = 0
    } catch (error) {
      onOutage(error)
      failuresInRow += 1
      wakeAfter(Math.min(30_000, 500 * 2 ** failuresInRow))
    }
    isPumping = false
  }

  async function sleepUntilDue(): Promise<void> {
    const milliseconds = await millisecondsUntilDue()
    if (milliseconds !== undefined && !isWoken) wakeAfter(milliseconds)
  }

  function wakeAfter(milliseconds: number): void {
    const own = new AbortController()
    timer = own
    // Beyond 2^31 ms a timer fires at once; a day is far enough.
    void clock.wait(Math.min(milliseconds, 86_400_000), own.signal).then(() => {
      if (!own.signal.aborted) wake()
    })
  }

  function begin(item: Item): void {
    const abort = new LazyAbort()
    // Claimed while it was being stopped: given back as if never claimed.
    if (!isRunning) abort.abort(stopping())
    const done = runOne(item, abort).finally(() => active.delete(done))
    active.set(done, abort)
  }

  async function runOne(item: Item, abort: LazyAbort): Promise<void> {
    const result = await run(item, abort)
    // In the next turn, when its place is free.
    if (result === 'again') isWoken = true
    setImmediate(() => isWoken && wake())
  }
}

function stopping(): OncehookError {
  return new OncehookError(
    'ONCEHOOK_STOPPED',
    'The process is stopping, so this run was rolled back and given back for another process.',
  )
}
