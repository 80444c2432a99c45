import type { Check } from '../check.ts'

/** Signatures carry the sender's time and are compared with this machine's; everything stored has the database's. */
export const clockCheck: Check = {
  name: 'clock',
  run({ inspection: { server }, limits }) {
    const { skewSeconds, roundTripSeconds } = server
    if (Math.abs(skewSeconds) <= limits.skewSeconds + roundTripSeconds / 2) return []
    const difference = `${Math.abs(skewSeconds).toFixed(1)} s ${skewSeconds > 0 ? 'ahead of' : 'behind'}`
    return [
      {
        severity: 'warning',
        fact: `The database's clock is ${difference} this machine's: if it is this one that is wrong, signatures are refused as too old or too early.`,
        cure: 'Let both be set by NTP, and look at the one that is off.',
      },
    ]
  },
}
