/** The unit in which a provider writes the time it signs. */
export type TimestampUnit = 'seconds' | 'milliseconds'

/** Seconds since 1970, or undefined. Strict, because every comparison with what `parseInt` makes of `abc` is false. */
export function readTimestamp(text: string, unit: TimestampUnit): number | undefined {
  if (unit === 'seconds') return /^\d{1,12}$/.test(text) ? Number(text) : undefined
  return /^\d{1,15}$/.test(text) ? Number(text) / 1000 : undefined
}

/** The text that `readTimestamp` reads. */
export function writeTimestamp(at: Date, unit: TimestampUnit): string {
  return String(unit === 'seconds' ? Math.floor(at.getTime() / 1000) : at.getTime())
}

/** True within the tolerance in both directions. Written so that what is not a number is outside. */
export function isWithinTolerance(timestampSeconds: number, at: Date, toleranceSeconds: number): boolean {
  return Math.abs(Math.floor(at.getTime() / 1000) - timestampSeconds) <= toleranceSeconds
}
