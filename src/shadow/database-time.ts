/** Turns this process's stopwatch into the database's time, so that calls of several processes can be compared. */
export type DatabaseTime = {
  /** Asks the database how late it is, unless that was asked lately. */
  readonly refresh: () => Promise<void>
  /** The moment at which `performance.now()` said so. Only after a first `refresh`. */
  readonly at: (milliseconds: number) => Date
}

/** Clocks drift apart by some milliseconds in this time. */
const validMilliseconds = 10 * 60_000
/** A question that took longer says little about when it was answered, so it is asked again, but not for ever. */
const promptMilliseconds = 20
const mostQuestions = 3

/**
 * One offset for all calls of a process: what came one after the other here does so in the table too, however long writing took. So it is
 * not mended between two writes, even if a later answer would be prompter.
 */
export function createDatabaseTime(
  readNow: () => Promise<Date>,
  stopwatch: () => number = () => performance.now(),
): DatabaseTime {
  let offset = 0
  let isValidUntil = Number.NEGATIVE_INFINITY
  return {
    async refresh() {
      if (stopwatch() < isValidUntil) return
      let shortest = Number.POSITIVE_INFINITY
      let found = offset
      for (let question = 0; question < mostQuestions && shortest > promptMilliseconds; question += 1) {
        const askedAt = stopwatch()
        const now = await readNow()
        const took = stopwatch() - askedAt
        if (took < shortest) {
          shortest = took
          found = now.getTime() - (askedAt + took / 2)
        }
      }
      offset = found
      isValidUntil = stopwatch() + validMilliseconds
    },
    at: (milliseconds) => new Date(milliseconds + offset),
  }
}
