import type { Clock } from '../clock.ts'
import type { NotedDelivery } from './receipt.ts'

/** Duplicates and refusals, gathered in memory and written together: they cost the hot path nothing. */
export type DeliveryLog = {
  readonly note: (delivery: NotedDelivery) => void
  /** Writes what was gathered. What a crash loses is a count, never an event. */
  readonly flush: () => Promise<void>
}

export type DeliveryLogOptions = {
  readonly write: (deliveries: readonly NotedDelivery[]) => Promise<void>
  readonly clock: Clock
  readonly onError: (error: unknown) => void
  readonly everyMilliseconds?: number
  /** A storm of refusals must not fill the memory: beyond this the oldest are forgotten. */
  readonly maximumEntries?: number
}

export function createDeliveryLog(options: DeliveryLogOptions): DeliveryLog {
  const { write, clock, onError, everyMilliseconds = 500, maximumEntries = 10_000 } = options
  let gathered: NotedDelivery[] = []
  let isScheduled = false
  let writing: Promise<void> = Promise.resolve()

  return {
    note(delivery) {
      if (gathered.length >= maximumEntries) gathered.shift()
      gathered.push(delivery)
      if (isScheduled) return
      isScheduled = true
      void clock.wait(everyMilliseconds).then(flush)
    },
    flush,
  }

  function flush(): Promise<void> {
    writing = writing.then(writeGathered)
    return writing
  }

  async function writeGathered(): Promise<void> {
    isScheduled = false
    if (gathered.length === 0) return
    const batch = gathered
    gathered = []
    try {
      await write(batch)
    } catch (error) {
      onError(error)
    }
  }
}
