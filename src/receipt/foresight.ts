/** How many events a worker may claim ahead of its handlers, from how long they took of late. */
export type Foresight = {
  /** A lane was busy for so long with so many events. */
  readonly note: (milliseconds: number, events: number) => void
  /** As many as are running and as will have begun within a tenth of a second. */
  readonly room: () => number
}

const aheadMilliseconds = 100
const most = 400
/** The weight of what was just seen; the rest is what was seen before. */
const weight = 0.1

/**
 * Claiming one by one would cost a statement for each event, and claiming far ahead would keep events from other workers. So as much is
 * claimed as is soon done: nothing ahead of slow handlers, hundreds ahead of fast ones.
 */
export function createForesight(concurrency: number): Foresight {
  let perEvent: number | undefined
  return {
    note(milliseconds, events) {
      if (events === 0) return
      const seen = milliseconds / events
      // One that is slow counts at once, because it is now that its neighbours wait.
      perEvent = perEvent === undefined || seen > perEvent * 10 ? seen : perEvent + (seen - perEvent) * weight
    },
    room() {
      if (perEvent === undefined) return concurrency
      const ahead = (concurrency * aheadMilliseconds) / Math.max(perEvent, 0.05)
      return Math.min(most, concurrency + Math.floor(ahead))
    },
  }
}
