/** How things stand in the store at this moment. Small numbers are exact; what would cost too much to count is estimated. */
export type Gauges = {
  readonly queue: readonly QueueGauge[]
  /** Events that no attempt helped. At most 10,000 of an environment are counted. */
  readonly deadLetters: readonly { readonly source: string; readonly count: number }[]
  readonly outbox: readonly OutboxGauge[]
  /** Of the whole table, whatever the environment, as PostgreSQL's statistics have it. */
  readonly ledger: {
    readonly rows: number
    /** Since the statistics began: their difference over a day is what the ledger grew by. */
    readonly rowsInserted: number
    readonly rowsDeleted: number
  }
  /** The last whole day (UTC) of each source: events that came, and those that retention has removed. */
  readonly yesterday: readonly { readonly source: string; readonly added: number; readonly pruned: number }[]
}

/** What is still to be done of one source. */
export type QueueGauge = PendingGauge & { readonly source: string }

/** What is still to be sent to one target. */
export type OutboxGauge = PendingGauge & {
  readonly target: string
  /** Dead letters. At most 10,000 of an environment are counted. */
  readonly failed: number
}

/** What is still to be done. Beyond 20,000 it is estimated. */
export type PendingGauge = {
  /** Not tried yet. */
  readonly waiting: number
  /** Tried, and waiting for the next attempt. */
  readonly retrying: number
  /** In the hands of a worker. */
  readonly running: number
  /** For how long the oldest has been due; 0 if none is. */
  readonly oldestDueSeconds: number
}

const nothing: PendingGauge = { waiting: 0, retrying: 0, running: 0, oldestDueSeconds: 0 }

/** Zeros for those that have nothing: a figure that is missing and one that is zero look different to whoever watches it. */
export function withQuietOnes(
  gauges: Gauges,
  { sources, targets }: { readonly sources: readonly string[]; readonly targets: readonly string[] },
): Gauges {
  const { queue, deadLetters, outbox, yesterday } = gauges
  return {
    ...gauges,
    queue: [...queue, ...missing(sources, queue, 'source').map((source) => ({ source, ...nothing }))],
    deadLetters: [...deadLetters, ...missing(sources, deadLetters, 'source').map((source) => ({ source, count: 0 }))],
    yesterday: [
      ...yesterday,
      ...missing(sources, yesterday, 'source').map((source) => ({ source, added: 0, pruned: 0 })),
    ],
    outbox: [...outbox, ...missing(targets, outbox, 'target').map((target) => ({ target, ...nothing, failed: 0 }))],
  }
}

function missing<Name extends string>(
  names: readonly string[],
  found: readonly Readonly<Record<Name, string>>[],
  member: Name,
): readonly string[] {
  const known = new Set(found.map((one) => one[member]))
  return names.filter((name) => !known.has(name))
}
