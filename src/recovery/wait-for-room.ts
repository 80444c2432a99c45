import type { Clock } from '../clock.ts'
import type { RecoveryStore } from '../store/recovery-store.ts'
import type { HistoryRange } from './history-range.ts'

const pauseMilliseconds = 250
const patienceMilliseconds = 30_000
/** Counting a long queue costs more than filling it by a page, but webhooks fill it too. */
const mostRoom = 1000

/**
 * Resolves once the queue has room, with how many events may be added until it is asked again, so that what comes in by webhook does not wait behind all that is back-filled. If nobody works off the
 * queue, it goes on: then there is nobody to make way for either.
 */
export async function waitForRoom(
  {
    store,
    clock,
    onNotice,
  }: {
    readonly store: Pick<RecoveryStore, 'queuedEvents'>
    readonly clock: Clock
    readonly onNotice: (message: string) => void
  },
  {
    environment,
    range,
    maximumQueued,
  }: { readonly environment: string; readonly range: HistoryRange; readonly maximumQueued: number },
): Promise<number> {
  const { source, signal } = range
  // Counted a little further, so that a queue that shrinks from far above can be seen to.
  const count = (): Promise<number> => store.queuedEvents(environment, source, maximumQueued * 4 + 1)
  let fewest = Number.POSITIVE_INFINITY
  let waited = 0
  for (;;) {
    const queued = await count()
    if (queued <= maximumQueued || signal.aborted) return Math.min(mostRoom, maximumQueued - queued)
    if (queued < fewest) waited = 0
    fewest = Math.min(fewest, queued)
    if (waited >= patienceMilliseconds) {
      onNotice(
        `The back-fill of ${source} goes on although ${queued} events wait: nobody works off the queue at the moment.`,
      )
      return 0
    }
    await clock.wait(pauseMilliseconds, signal)
    waited += pauseMilliseconds
  }
}
