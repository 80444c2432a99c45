import { describeBytes } from '../amounts.ts'
import type { Check } from '../check.ts'

/** Estimates from statistics are off by a factor now and then, so only what is far off counts. */
const leastWastedShare = 2 / 3

/** Space that dead rows left behind and that nobody gives back. */
export const bloatCheck: Check = {
  name: 'bloat',
  run({ inspection: { tables }, limits }) {
    return tables
      .flatMap(({ sizes }) => sizes)
      .flatMap(({ kind, name, bytes, neededBytes = bytes, sql }) => {
        const wasted = bytes - neededBytes
        if (wasted < limits.wastedBytes || wasted < bytes * leastWastedShare) return []
        return [
          {
            severity: 'warning' as const,
            fact: `The ${kind} ${name} takes ${describeBytes(bytes)}, where its rows need about ${describeBytes(neededBytes)}.`,
            cure:
              kind === 'index'
                ? 'Build it anew, which lets deliveries go on.'
                : 'Write it anew while no delivery comes, because that locks it, or use pg_repack.',
            sql: [sql],
          },
        ]
      })
  },
}
