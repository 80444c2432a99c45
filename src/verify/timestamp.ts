/** How a provider writes the time it signs. */
export type TimestampUnit = 'seconds' | 'milliseconds' | 'iso8601'

/** With or without a fraction, in UTC or with an offset. What has no zone has no one meaning. */
const isoPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/

/** Seconds since 1970, or undefined. Strict, because every comparison with what `parseInt` makes of `abc` is false. */
export function readTimestamp(text: string, unit: TimestampUnit): number | undefined {
  switch (unit) {
    case 'seconds':
      return /^\d{1,12}$/.test(text) ? Number(text) : undefined
    case 'milliseconds':
      return /^\d{1,15}$/.test(text) ? Number(text) / 1000 : undefined
    case 'iso8601': {
      const seconds = isoPattern.test(text) ? Date.parse(text) / 1000 : Number.NaN
      return Number.isNaN(seconds) ? undefined : seconds
    }
  }
}

/** A text that `readTimestamp` reads. */
export function writeTimestamp(at: Date, unit: TimestampUnit): string {
  switch (unit) {
    case 'seconds':
      return String(Math.floor(at.getTime() / 1000))
    case 'milliseconds':
      return String(at.getTime())
    case 'iso8601':
      return at.toISOString()
  }
}

/** True within the tolerance in both directions. Written so that what is not a number is outside. */
export function isWithinTolerance(timestampSeconds: number, at: Date, toleranceSeconds: number): boolean {
  return Math.abs(Math.floor(at.getTime() / 1000) - Math.floor(timestampSeconds)) <= toleranceSeconds
}
