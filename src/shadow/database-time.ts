/** Turns this process's stopwatch into the database's time, so that calls of several processes can be compared. */
export type DatabaseTime = {
  /** Asks the database how late it is, unless that was asked lately. */
  readonly refresh: () => Promise<void>
  /** The moment at which `performance.now()` said so. Only after a first `refresh`. */
  readonly at: (milliseconds: number) => Date
}

/** Clocks drift apart by some milliseconds in this time. */
const validMilliseconds = 10 * 60_000
/** A question that took longer says little about when it was answered, so it is soon asked again. */
const promptMilliseconds = 100

/** One offset for all calls of a process: what came one after the other here does so in the table, however long writing took. */
export function createDatabaseTime(readNow: () => Promise<Date>): DatabaseTime {
  let offset = 0
  let isValidUntil = Number.NEGATIVE_INFINITY
  return {
    async refresh() {
      if (performance.now() < isValidUntil) return
      const askedAt = performance.now()
      const now = await readNow()
      const answeredAt = performance.now()
      offset = now.getTime() - (askedAt + answeredAt) / 2
      if (answeredAt - askedAt < promptMilliseconds) isValidUntil = answeredAt + validMilliseconds
    },
    at: (milliseconds) => new Date(milliseconds + offset),
  }
}
