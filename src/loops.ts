import type { Clock } from './clock.ts'
import type { InboxListener } from './events.ts'
import type { Pump } from './pump.ts'
import type { Store } from './store/store.ts'

/** Everything that runs in the background of an inbox: the worker, the relay and upkeep. */
export type Loops = {
  readonly start: () => Promise<void>
  readonly stop: (graceSeconds: number) => Promise<void>
  readonly wake: () => void
  /** The same for those who do not know whether they run here. */
  readonly wakeIfRunning: () => void
  readonly isRunning: () => boolean
}

export type LoopsParts<Tx> = {
  readonly store: Pick<Store<Tx>, 'listen'>
  readonly pumps: readonly Pump[]
  readonly clock: Clock
  readonly emit: InboxListener
  readonly pollSeconds: number
}

export function createLoops<Tx>({ store, pumps, clock, emit, pollSeconds }: LoopsParts<Tx>): Loops {
  let running: AbortController | undefined
  let keepAlive: NodeJS.Timeout | undefined
  let stopListening: () => Promise<void> = () => Promise.resolve()

  return { start, stop, wake, wakeIfRunning, isRunning: () => running !== undefined }

  function wakeIfRunning(): void {
    if (running !== undefined) wake()
  }

  async function start(): Promise<void> {
    if (running !== undefined) return
    running = new AbortController()
    // All other timers let the process end; one that waits for work must not.
    keepAlive = setInterval(() => {}, 2 ** 30)
    const hearing = await store.listen(wake)
    stopListening = hearing.stop
    for (const pump of pumps) pump.start()
    if (hearing.kind === 'poll') void poll(running.signal)
  }

  async function stop(graceSeconds: number): Promise<void> {
    if (running === undefined) return
    running.abort()
    running = undefined
    clearInterval(keepAlive)
    await Promise.all(pumps.map((pump) => pump.stop(graceSeconds)))
    await stopListening()
  }

  function wake(): void {
    for (const pump of pumps) pump.wake()
  }

  async function poll(signal: AbortSignal): Promise<void> {
    const message = `The database cannot call this process (PgBouncer and some libraries cannot listen), so it is asked every ${pollSeconds} s instead.`
    emit({ kind: 'notice', level: 'warning', message })
    while (!signal.aborted) {
      await clock.wait(pollSeconds * 1000, signal)
      wake()
    }
  }
}
