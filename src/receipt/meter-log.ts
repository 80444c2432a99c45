import type { Clock } from '../clock.ts'
import type { SecretList } from '../verify/secret-list.ts'
import type { DeadlineReading, MeterReading } from './meters.ts'

/** Counts authentic deliveries in memory, and writes the counts now and then: on the way of a delivery it costs a few additions. */
export type MeterLog = {
  readonly note: (delivery: MeteredDelivery) => void
  /** Writes what was counted. What a crash loses is a count of the last seconds. */
  readonly flush: () => Promise<void>
}

export type MeteredDelivery = {
  readonly source: string
  readonly secretIndex: number
  readonly latencyMilliseconds: number
  readonly deadlineSeconds: number | undefined
}

export type MeterLogOptions = {
  readonly environment: string
  readonly write: (readings: readonly MeterReading[]) => Promise<void>
  /** A source's list of secrets; undefined where they are looked up. */
  readonly secretListOf: (source: string) => SecretList | undefined
  readonly clock: Clock
  readonly onError: (error: unknown) => void
  readonly everyMilliseconds?: number
}

type Counts = {
  readonly bySecret: number[]
  deadline: { -readonly [Member in keyof DeadlineReading]: DeadlineReading[Member] } | undefined
}

export function createMeterLog(options: MeterLogOptions): MeterLog {
  const { environment, write, secretListOf, clock, onError, everyMilliseconds = 10_000 } = options
  let counts = new Map<string, Counts>()
  let isScheduled = false
  let writing: Promise<void> = Promise.resolve()

  return {
    note({ source, secretIndex, latencyMilliseconds, deadlineSeconds }) {
      const known = countsOf(source)
      known.bySecret[secretIndex] = (known.bySecret[secretIndex] ?? 0) + 1
      if (deadlineSeconds !== undefined) addLatency(known, latencyMilliseconds, deadlineSeconds * 1000)
      if (isScheduled) return
      isScheduled = true
      void clock.wait(everyMilliseconds).then(flush)
    },
    flush,
  }

  function countsOf(source: string): Counts {
    const known = counts.get(source)
    if (known !== undefined) return known
    const made: Counts = { bySecret: [], deadline: undefined }
    counts.set(source, made)
    return made
  }

  function flush(): Promise<void> {
    writing = writing.then(writeCounts)
    return writing
  }

  async function writeCounts(): Promise<void> {
    isScheduled = false
    if (counts.size === 0) return
    const taken = counts
    counts = new Map()
    try {
      await write(await Promise.all([...taken].map(toReading)))
    } catch (error) {
      onError(error)
    }
  }

  async function toReading([source, { bySecret, deadline }]: readonly [string, Counts]): Promise<MeterReading> {
    const list = secretListOf(source)
    const all = Array.from({ length: list?.count ?? 0 }, (_, index) => bySecret[index] ?? 0)
    return { environment, source, mark: await list?.mark(), bySecret: all, deadline }
  }
}

function addLatency(counts: Counts, latency: number, deadline: number): void {
  counts.deadline ??= { deliveries: 0, pastHalf: 0, pastMost: 0, pastAll: 0, slowestMilliseconds: 0 }
  const known = counts.deadline
  known.deliveries += 1
  if (latency > known.slowestMilliseconds) known.slowestMilliseconds = latency
  if (latency <= deadline * 0.5) return
  known.pastHalf += 1
  if (latency > deadline * 0.8) known.pastMost += 1
  if (latency > deadline) known.pastAll += 1
}
