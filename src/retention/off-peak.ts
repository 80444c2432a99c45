/** The hours in which little happens. */
export type OffPeakWindow = {
  /** As in `01:30`. */
  readonly from: string
  /** As in `05:00`. May be earlier than `from`: then the window lasts over midnight. */
  readonly to: string
  /** As in `Europe/Berlin`. Default UTC. */
  readonly timeZone?: string
}

const minutesOfDay = 24 * 60

/** Seconds until the window opens: 0 while it is open. */
export function secondsUntilOpen({ from, to, timeZone = 'UTC' }: OffPeakWindow, at: Date): number {
  const opens = minutesOf(from)
  const closes = minutesOf(to)
  const seconds = secondsOfDay(at, timeZone)
  const now = seconds / 60
  const isOpen = opens < closes ? now >= opens && now < closes : now >= opens || now < closes
  return isOpen ? 0 : ((opens - now + minutesOfDay) % minutesOfDay) * 60
}

/** What is wrong with a window, if anything is. */
export function windowMistakes(window: unknown): readonly string[] {
  if (typeof window !== 'object' || window === null) {
    return ["retention.window must be { from: '01:00', to: '05:00', timeZone: 'UTC' }."]
  }
  const { from, to, timeZone = 'UTC' } = window as Record<string, unknown>
  return [
    ...(isTimeOfDay(from) ? [] : [`retention.window.from is ${JSON.stringify(from)}: give a time such as '01:00'.`]),
    ...(isTimeOfDay(to) ? [] : [`retention.window.to is ${JSON.stringify(to)}: give a time such as '05:00'.`]),
    ...(isTimeOfDay(from) && from === to ? ['retention.window is empty: from and to are the same time.'] : []),
    ...(isTimeZone(timeZone)
      ? []
      : [`retention.window.timeZone is ${JSON.stringify(timeZone)}: give one such as 'Europe/Berlin'.`]),
  ]
}

function isTimeOfDay(text: unknown): text is string {
  return typeof text === 'string' && /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text)
}

function isTimeZone(name: unknown): boolean {
  if (typeof name !== 'string') return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

/** By the clocks on the wall there. */
function secondsOfDay(at: Date, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  const [hours = 0, minutes = 0, seconds = 0] = format.format(at).split(':').map(Number)
  return (hours * 60 + minutes) * 60 + seconds
}
