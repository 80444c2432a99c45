import type { Clock } from '../clock.ts'
import type { NotedDelivery } from './receipt.ts'

/** Duplicates and refusals, gathered in memory and written together: they cost the hot path nothing. */
export type DeliveryLog = {
  /** Whether one of this kind would be noted now. In a storm most are not, and need not be described. */
  readonly hasRoomFor: (kind: NotedDelivery['kind']) => boolean
  readonly note: (delivery: NotedDelivery) => void
  /** Writes what was gathered. What a crash loses is a count, never an event. */
  readonly flush: () => Promise<void>
}

export type DeliveryLogOptions = {
  readonly write: (deliveries: readonly NotedDelivery[]) => Promise<void>
  readonly clock: Clock
  readonly onError: (error: unknown) => void
  readonly everyMilliseconds?: number
  /** A storm of refusals must not fill the memory: what comes beyond this before the next write is not noted. */
  readonly maximumEntries?: number
  /** A storm of plain duplicates must not become a storm of writes: the same for these. */
  readonly maximumDuplicates?: number
}

export function createDeliveryLog(options: DeliveryLogOptions): DeliveryLog {
  const { write, clock, onError, everyMilliseconds = 500 } = options
  const { maximumEntries = 10_000, maximumDuplicates = 100 } = options
  let gathered: NotedDelivery[] = []
  let duplicates = 0
  let isScheduled = false
  let writing: Promise<void> = Promise.resolve()

  return {
    hasRoomFor,
    note(delivery) {
      if (!hasRoomFor(delivery.kind)) return
      if (delivery.kind === 'duplicate') duplicates += 1
      gathered.push(delivery)
      if (isScheduled) return
      isScheduled = true
      void clock.wait(everyMilliseconds).then(flush)
    },
    flush,
  }

  function hasRoomFor(kind: NotedDelivery['kind']): boolean {
    return gathered.length < maximumEntries && (kind !== 'duplicate' || duplicates < maximumDuplicates)
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
    duplicates = 0
    try {
      await write(batch)
    } catch (error) {
      onError(error)
    }
  }
}
