import type { Clock } from '../clock.ts'
import type { DeliveryEvent, HandlerEvent, InboxEvent } from '../events.ts'

/** What happened of a source, counted in a process. */
export type TrafficTally = {
  readonly source: string
  /** Deliveries of events that were new. */
  readonly accepted: number
  readonly duplicates: number
  /** Deliveries that were not taken: forged, malformed, too large, and those that have to come again. */
  readonly refused: number
  /** Handler runs that ended well. */
  readonly succeeded: number
  /** Handler runs that did not. */
  readonly failed: number
  /** From the receipt to the commit, of all queued runs together, in milliseconds. */
  readonly lagSum: number
  readonly lagCount: number
}

/** Counts for people who watch, added to what the database knows now and then: no delivery waits for it. */
export type TrafficLog = {
  readonly hear: (event: InboxEvent) => void
  /** Writes what was counted. What a crash loses is a count, never an event. */
  readonly flush: () => Promise<void>
}

export type TrafficLogOptions = {
  readonly write: (tallies: readonly TrafficTally[]) => Promise<void>
  readonly clock: Clock
  readonly onError: (error: unknown) => void
  readonly everySeconds?: number
}

type Counts = { -readonly [Name in Exclude<keyof TrafficTally, 'source'>]: TrafficTally[Name] }

const countOfDelivery: Readonly<Record<DeliveryEvent['outcome'], keyof Counts | undefined>> = {
  accepted: 'accepted',
  processed: 'accepted',
  ignored: 'accepted',
  duplicate: 'duplicates',
  forged: 'refused',
  malformed: 'refused',
  refused: 'refused',
  unavailable: 'refused',
  // The run that failed is counted, and a greeting is no event.
  failed: undefined,
  handshake: undefined,
}

const countOfRun: Readonly<Record<HandlerEvent['outcome'], keyof Counts | undefined>> = {
  succeeded: 'succeeded',
  retrying: 'failed',
  dead: 'failed',
  rolled_back: 'failed',
  abandoned: 'failed',
  // "Not yet" is no failure, and whoever lost the lease is told of by who has it.
  deferred: undefined,
  lease_lost: undefined,
}

/** Names of sources come from the configuration; a request for one that is not there is counted for none. */
const mostSources = 10_000

export function createTrafficLog({ write, clock, onError, everySeconds = 5 }: TrafficLogOptions): TrafficLog {
  let tallies = new Map<string, Counts>()
  let writing: Promise<void> = Promise.resolve()
  let isScheduled = false

  return {
    hear(event) {
      const name = nameOf(event)
      if (name === undefined || !('source' in event) || event.source === '') return
      const counts = countsOf(event.source)
      counts[name] += 1
      if (event.kind === 'handler' && event.lagMilliseconds !== undefined) {
        counts.lagSum += event.lagMilliseconds
        counts.lagCount += 1
      }
      if (isScheduled) return
      isScheduled = true
      void clock.wait(everySeconds * 1000).then(flush)
    },
    flush,
  }

  function countsOf(source: string): Counts {
    const known = tallies.get(source)
    if (known !== undefined) return known
    const counts = { accepted: 0, duplicates: 0, refused: 0, succeeded: 0, failed: 0, lagSum: 0, lagCount: 0 }
    if (tallies.size < mostSources) tallies.set(source, counts)
    return counts
  }

  function flush(): Promise<void> {
    writing = writing.then(writeTallies)
    return writing
  }

  async function writeTallies(): Promise<void> {
    isScheduled = false
    if (tallies.size === 0) return
    const counted = [...tallies].map(([source, counts]) => ({ source, ...counts }))
    tallies = new Map()
    try {
      await write(counted)
    } catch (error) {
      onError(error)
    }
  }
}

function nameOf(event: InboxEvent): keyof Counts | undefined {
  if (event.kind === 'delivery') return countOfDelivery[event.outcome]
  return event.kind === 'handler' ? countOfRun[event.outcome] : undefined
}
