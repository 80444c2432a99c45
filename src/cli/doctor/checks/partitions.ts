import { describeCount } from '../amounts.ts'
import type { Check, Finding } from '../check.ts'

/** Bodies of a day without a partition go to the default one, where they are kept as safely but cannot be dropped with their day. */
export const partitionsCheck: Check = {
  name: 'partitions',
  run({ inspection: { bodies }, program }) {
    const { missingDays, rowsInDefault } = bodies
    const findings: Finding[] = []
    if (missingDays.length > 0) {
      findings.push({
        severity: 'warning',
        fact: `There is no partition of bodies for ${missingDays.join(' and ')}, so those bodies go to bodies_default.`,
        cure: `Run "${program} migrate", and let a process call inbox.start(), which makes them day by day.`,
      })
    }
    if (rowsInDefault > 0) {
      const count = `${describeCount(rowsInDefault)}${rowsInDefault >= 10_000 ? ' or more' : ''}`
      findings.push({
        severity: 'warning',
        fact: `bodies_default holds ${count} bodies, which cannot be dropped with their day.`,
        cure: 'Keep a process running that calls inbox.start(), so that days have partitions, and delete those bodies once they are no longer needed.',
      })
    }
    return findings
  },
}
