/** A length of time for people: `45 s`, `12 min`, `3 h`, `2 d`. */
export function duration(seconds: number): string {
  if (seconds < 60) return `${round(seconds)} s`
  if (Math.round(seconds / 60) < 120) return `${Math.round(seconds / 60)} min`
  if (Math.round(seconds / 3600) < 48) return `${Math.round(seconds / 3600)} h`
  return `${Math.round(seconds / 86_400)} d`
}

/** A share for people: `43 %`, `0.4 %`. */
export function percent(share: number): string {
  return `${round(share * 100)} %`
}

/** Two digits are enough to judge by. */
export function round(number: number): string {
  return number >= 10 ? String(Math.round(number)) : String(Math.round(number * 10) / 10)
}

/** `1 event`, `2 events`. */
export function many(count: number, one: string, more = `${one}s`): string {
  return `${round(count)} ${count === 1 ? one : more}`
}
