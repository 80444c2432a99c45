import { type Mutation, named, type Subject } from './mutation.ts'

const hasTimestamp = ({ adapter }: Subject): boolean => adapter.timestamp !== undefined

/** Rightly signed, at another time: around the tolerances, ours and the library's. */
const ages: readonly Mutation[] = named<(tolerance: number) => number>(
  {
    'signed a moment ago': () => 1,
    'signed within the tolerance': (tolerance) => tolerance - 1,
    'signed as long ago as the tolerance': (tolerance) => tolerance,
    'signed a second before the tolerance': (tolerance) => tolerance + 1,
    'signed long before the tolerance': (tolerance) => tolerance * 3,
    'signed a year ago': () => 365 * 86_400,
    'signed a moment ahead': () => -1,
    'signed ahead as far as the tolerance': (tolerance) => -tolerance,
    'signed a second further ahead than the tolerance': (tolerance) => -tolerance - 1,
    'signed a year ahead': () => -365 * 86_400,
  },
  (ageOf) => ({
    isMeantFor: hasTimestamp,
    prepare: (random, { adapter, facts }) => {
      const ours = facts.toleranceSeconds ?? 300
      return { ageSeconds: ageOf(random.pick([ours, ours, adapter.libraryToleranceSeconds ?? ours])) }
    },
  }),
)

/** Another timestamp than the one that was signed. */
const changedTimestamps: readonly Mutation[] = named<(right: string) => string>(
  {
    'the timestamp a second later': (right) => later(right, 1),
    'the timestamp a second earlier': (right) => later(right, -1),
    'the timestamp an hour later': (right) => later(right, 3600),
    'an empty timestamp': () => '',
    'a timestamp that is no number': () => 'abc',
  },
  (change) => ({
    isMeantFor: hasTimestamp,
    change: (delivery, _random, { adapter: { timestamp } }) =>
      timestamp === undefined ? delivery : timestamp.write(delivery, change(timestamp.read(delivery))),
  }),
)

/** Timestamps that nobody writes, and that are signed all the same. */
const oddTimestamps: readonly Mutation[] = named<(right: string) => string>(
  {
    'a signed timestamp with a fraction': (right) => `${right}.5`,
    'a signed timestamp with letters after it': (right) => `${right}abc`,
    'a signed timestamp with a zero before it': (right) => `0${right}`,
    'a signed timestamp with a plus before it': (right) => `+${right}`,
    'a signed timestamp with a space before it': (right) => ` ${right}`,
    'a signed timestamp with an exponent': (right) => `${right.slice(0, 1)}.${right.slice(1)}e${right.length - 1}`,
    'a signed timestamp in hexadecimal digits': (right) => `0x${Number(right).toString(16)}`,
    'a signed timestamp in another unit': (right) => (right.length > 11 ? right.slice(0, -3) : `${right}000`),
    'a signed timestamp that is negative': (right) => `-${right}`,
    'a signed timestamp that is no number': () => 'abc',
    'a signed timestamp that is NaN': () => 'NaN',
    'a signed timestamp that is infinite': () => 'Infinity',
    'a signed timestamp that is empty': () => '',
  },
  (timestamp) => ({
    isMeantFor: ({ adapter }) => adapter.timestamp?.signAnew !== undefined,
    prepare: () => ({ timestamp }),
  }),
)

/** Everything about time. */
export const times: readonly Mutation[] = [...ages, ...changedTimestamps, ...oddTimestamps]

function later(timestamp: string, seconds: number): string {
  if (/^\d{1,11}$/.test(timestamp)) return String(Number(timestamp) + seconds)
  if (/^\d+$/.test(timestamp)) return String(Number(timestamp) + seconds * 1000)
  const moment = Date.parse(timestamp)
  return Number.isNaN(moment) ? `${timestamp}1` : new Date(moment + seconds * 1000).toISOString()
}
