import { describeDuration } from '../../duration.ts'
import { printable } from '../../printable.ts'
import { plural } from '../../start-texts.ts'
import type { Check } from '../check.ts'

/** A worker that died leaves its leases behind; any other takes them over, if there is one. */
export const leasesCheck: Check = {
  name: 'leases',
  run({ inspection: { leases }, limits }) {
    return leases
      .filter(({ oldestSeconds }) => oldestSeconds >= limits.dueSeconds)
      .map(({ table, count, oldestSeconds, worker }) => ({
        severity: 'error' as const,
        fact:
          `${plural(count, table === 'queue' ? 'event' : 'message')} stayed behind with a worker that is gone: ` +
          `the lease of ${printable(worker)} ran out ${describeDuration(oldestSeconds * 1000)} ago, and nobody has taken over.`,
        cure:
          table === 'queue'
            ? 'Start a worker that has their handlers: call inbox.start(), or inbox.drain() from a cron route.'
            : 'Start a process that has their targets: call inbox.start(), or inbox.drain() from a cron route.',
      }))
  },
}
