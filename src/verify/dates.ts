/** A moment from seconds since 1970, as a number or digits; undefined if it is none. */
export function fromUnixSeconds(value: unknown): Date | undefined {
  const seconds = typeof value === 'string' && /^\d{1,12}(?:\.\d{1,9})?$/.test(value) ? Number(value) : value
  return typeof seconds === 'number' ? plausible(new Date(seconds * 1000)) : undefined
}

/** A moment from milliseconds since 1970, as a number or digits; undefined if it is none. */
export function fromUnixMilliseconds(value: unknown): Date | undefined {
  const milliseconds = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof milliseconds === 'number' ? plausible(new Date(milliseconds)) : undefined
}

/** A moment from ISO 8601 or RFC 2822 text; undefined if it is none. */
export function fromDateText(value: unknown): Date | undefined {
  return typeof value === 'string' && value.length <= 64 ? plausible(new Date(value)) : undefined
}

/** A moment from ISO 8601 text whose provider means UTC where it names no zone; undefined if it is none. */
export function fromUtcText(value: unknown): Date | undefined {
  if (typeof value !== 'string') return undefined
  return fromDateText(/(?:Z|[+-]\d{2}:?\d{2})$/.test(value) ? value : `${value}Z`)
}

/** Years beyond four digits are mistakes (such as milliseconds read as seconds), and not every column takes them. */
function plausible(date: Date): Date | undefined {
  const year = date.getUTCFullYear()
  return year >= 1970 && year <= 9999 ? date : undefined
}
