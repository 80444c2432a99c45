import type { Clock } from '../clock.ts'
import type { DeliveryEvent, InboxEvent } from '../events.ts'
import type { AnswerTally } from '../store/alert-store.ts'

/** How long answers take, counted here and added to what the database knows now and then: answering costs no write. */
export type AnswerTimes = {
  readonly hear: (event: InboxEvent) => void
  /** Writes what was counted. What a crash loses is a count, never an event. */
  readonly flush: () => Promise<void>
}

export type AnswerTimesParts = {
  readonly write: (answers: readonly AnswerTally[]) => Promise<void>
  readonly clock: Clock
  readonly onError: (error: unknown) => void
  readonly deadlineSecondsOf: (source: string) => number
  /** The part of the deadline from which on an answer is near it. */
  readonly near: number
  readonly everySeconds?: number
}

/** The outcomes of deliveries that are believed: strangers need not be answered in time. */
const authentic: ReadonlySet<DeliveryEvent['outcome']> = new Set([
  'accepted',
  'processed',
  'duplicate',
  'ignored',
  'failed',
  'unavailable',
])

export function createAnswerTimes(parts: AnswerTimesParts): AnswerTimes {
  const { write, clock, onError, deadlineSecondsOf, near, everySeconds = 10 } = parts
  let tallies = new Map<string, AnswerTally>()
  let writing: Promise<void> = Promise.resolve()
  let isScheduled = false

  return { hear, flush }

  function hear(event: InboxEvent): void {
    if (event.kind !== 'delivery' || !authentic.has(event.outcome)) return
    const { source, latencyMilliseconds } = event
    const deadline = deadlineSecondsOf(source) * 1000
    const known = tallies.get(source)
    tallies.set(source, {
      source,
      answered: (known?.answered ?? 0) + 1,
      near: (known?.near ?? 0) + Number(latencyMilliseconds >= deadline * near),
      late: (known?.late ?? 0) + Number(latencyMilliseconds >= deadline),
      slowestMilliseconds: Math.max(known?.slowestMilliseconds ?? 0, latencyMilliseconds),
    })
    if (isScheduled) return
    isScheduled = true
    void clock.wait(everySeconds * 1000).then(flush)
  }

  function flush(): Promise<void> {
    writing = writing.then(writeTallies)
    return writing
  }

  async function writeTallies(): Promise<void> {
    isScheduled = false
    if (tallies.size === 0) return
    const counted = [...tallies.values()]
    tallies = new Map()
    try {
      await write(counted)
    } catch (error) {
      onError(error)
    }
  }
}
