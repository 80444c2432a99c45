import { invalidOptions } from '../errors.ts'

const unitMilliseconds: Readonly<Record<string, number>> = {
  millisecond: 1,
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 7 * 86_400_000,
}

type Unit = 'millisecond' | 'second' | 'minute' | 'hour' | 'day' | 'week'

/** A length of time in words, such as `3 days`, or in milliseconds. */
export type Duration = `${number} ${Unit}` | `${number} ${Unit}s` | number

export function millisecondsOf(duration: Duration): number {
  const [, amount = '', unit = ''] = /^(\d+(?:\.\d+)?) ([a-z]+?)s?$/.exec(String(duration)) ?? []
  const milliseconds = typeof duration === 'number' ? duration : Number(amount) * (unitMilliseconds[unit] ?? Number.NaN)
  if (amount === '' && typeof duration !== 'number') throw notADuration(duration)
  if (!(milliseconds >= 0 && Number.isFinite(milliseconds))) throw notADuration(duration)
  return Math.round(milliseconds)
}

function notADuration(duration: Duration): Error {
  const units = Object.keys(unitMilliseconds).join(', ')
  return invalidOptions('The clock', [
    `${JSON.stringify(duration)} is no length of time. Give one as in "3 days", with one of ${units}, or milliseconds; time never goes back.`,
  ])
}
