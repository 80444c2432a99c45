const units = [
  { seconds: 86_400, name: 'd' },
  { seconds: 3_600, name: 'h' },
  { seconds: 60, name: 'min' },
] as const

/** How long something takes, in at most two units: `3 d 4 h`, `12 min`, `4.2 s`, `85 ms`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1) return milliseconds <= 0 ? '0 ms' : '<1 ms'
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`
  const seconds = milliseconds / 1_000
  if (seconds < 59.95) return `${Number(seconds.toFixed(1))} s`
  const whole = Math.round(seconds)
  const index = units.findIndex((unit) => whole >= unit.seconds)
  const [large, small] = [units[index], units[index + 1]]
  if (large === undefined) return `${whole} s`
  const count = Math.floor(whole / large.seconds)
  const rest = small === undefined ? 0 : Math.floor((whole % large.seconds) / small.seconds)
  return rest === 0 || small === undefined ? `${count} ${large.name}` : `${count} ${large.name} ${rest} ${small.name}`
}

/** How long ago, or in how long: `just now`, `4 min ago`, `in 2 h`. One unit is enough to scan a list. */
export function formatAgo(at: string, now: number): string {
  const seconds = (now - Date.parse(at)) / 1_000
  if (Number.isNaN(seconds)) return at
  const distance = Math.abs(seconds)
  if (distance < 5) return 'just now'
  const unit = units.find((one) => distance >= one.seconds)
  const text = unit === undefined ? `${Math.floor(distance)} s` : `${Math.floor(distance / unit.seconds)} ${unit.name}`
  return seconds > 0 ? `${text} ago` : `in ${text}`
}

/** The local time to the millisecond, the same wherever it is shown. */
export function formatTime(at: string): string {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return at
  const two = (number: number): string => String(number).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  const time = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
  return `${day} ${time}.${String(date.getMilliseconds()).padStart(3, '0')}`
}

/** A share of one, with as many digits as it deserves: `0 %`, `0.4 %`, `12 %`. */
export function formatShare(share: number): string {
  const percent = share * 100
  if (percent === 0 || percent >= 9.95) return `${Math.round(percent)} %`
  return percent < 0.05 ? '<0.1 %' : `${Number(percent.toFixed(1))} %`
}

/** `1 284`, `12.3 k`, `4.1 M`: exact as long as it is short. */
export function formatCount(count: number): string {
  const size = Math.abs(count)
  if (size < 10_000) return String(Math.round(count)).replace(/(\d)(?=\d{3}$)/, '$1\u202f')
  const [divisor, name] = size < 999_950 ? [1_000, 'k'] : size < 999_950_000 ? [1_000_000, 'M'] : [1_000_000_000, 'G']
  return `${Number((count / divisor).toFixed(1))} ${name}`
}

/** A change, always with its sign. */
export function formatDelta(count: number): string {
  return count > 0 ? `+${formatCount(count)}` : count < 0 ? `−${formatCount(-count)}` : '±0'
}

/** `512 B`, `1.5 KB`, `3 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_024) return `${bytes} B`
  const [divisor, name] = bytes < 1_024 * 1_024 ? [1_024, 'KB'] : [1_024 * 1_024, 'MB']
  return `${Number((bytes / divisor).toFixed(1))} ${name}`
}

/** `1 copy`, `3 copies`. */
export function many(count: number, one: string, more = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : more}`
}

/** A name of the machine for people: `same_change` and `sameChange` are both `same change`. */
export function words(name: string): string {
  return name
    .replaceAll('_', ' ')
    .replaceAll(/([a-z])([A-Z])/g, (_, one: string, two: string) => `${one} ${two.toLowerCase()}`)
}
