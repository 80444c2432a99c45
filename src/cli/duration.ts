const units = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** A length of time for people: two digits of the unit that fits, such as `850 ms`, `1.2 s`, `3 min`, `5 h`, `2 d`. */
export function describeDuration(milliseconds: number): string {
  const length = Math.max(0, milliseconds)
  if (length < 10) return `${length.toFixed(1)} ms`
  if (Math.round(length) < units.s) return `${Math.round(length)} ms`
  if (length < 9_950) return `${(length / units.s).toFixed(1)} s`
  if (Math.round(length / units.s) < 60) return `${Math.round(length / units.s)} s`
  if (Math.round(length / units.m) < 60) return `${Math.round(length / units.m)} min`
  if (Math.round(length / units.h) < 48) return `${Math.round(length / units.h)} h`
  return `${Math.round(length / units.d)} d`
}

/** A time in ISO 8601, or how long ago it was (`90s`, `15m`, `2h`, `7d`). Undefined if it is neither. */
export function parseMoment(text: string, now: Date): Date | undefined {
  const ago = parseLength(text)
  if (ago !== undefined) return new Date(now.getTime() - ago)
  const moment = /^\d{4}-\d{2}-\d{2}/.test(text) ? new Date(text) : undefined
  return moment === undefined || Number.isNaN(moment.getTime()) ? undefined : moment
}

/** Milliseconds of a length of time (`90s`, `15m`, `2h`, `7d`). Undefined if it is none. */
export function parseLength(text: string): number | undefined {
  const length = /^(\d{1,6})([smhd])$/.exec(text)
  return length === null ? undefined : Number(length[1]) * units[length[2] as keyof typeof units]
}

/** The time of day by the clock on the wall, to the millisecond. */
export function timeOfDay(at: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0')
  const milliseconds = String(at.getMilliseconds()).padStart(3, '0')
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}.${milliseconds}`
}

/** Date and time of day to the second, by the clock on the wall. */
export function dayAndTime(at: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${timeOfDay(at).slice(0, 8)}`
}
