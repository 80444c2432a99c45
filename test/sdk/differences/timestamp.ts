import type { Difference } from '../adapter.ts'

export const futureTimestamp: Difference = {
  name: 'Timestamp from the future',
  reason:
    'The library only refuses what is too old. What is signed far ahead could be replayed until then, so we refuse it too.',
  we: 'refuse',
  isMeant: ({ ageSeconds, toleranceSeconds = 0 }) => ageSeconds < -toleranceSeconds,
}

export const timestampUnchecked: Difference = {
  name: 'Timestamp outside the tolerance',
  reason: 'The library never compares the timestamp with the clock, so it believes a replay of any age. We do not.',
  we: 'refuse',
  isMeant: ({ ageSeconds, toleranceSeconds = 0 }) => Math.abs(ageSeconds) > toleranceSeconds,
}

export const oddTimestamp: Difference = {
  name: 'Timestamp that nobody writes',
  reason:
    'The library reads a timestamp as far as it is a number, or not at all. We take digits only, in the one unit.',
  we: 'refuse',
  isMeant: ({ mutation }) => mutation.startsWith('a signed timestamp '),
}

export const timestampAsWritten: Difference = {
  name: 'Timestamp with a zero before it',
  reason: 'The library signs the number that it read, we sign the text that came. The signature covers that text.',
  we: 'accept',
  isMeant: ({ mutation }) => mutation === 'a signed timestamp with a zero before it',
}

export const fractionOfSecond: Difference = {
  name: 'Last second of the tolerance',
  reason: 'At the very end of the tolerance the library counts milliseconds, we count whole seconds.',
  we: 'accept',
  isMeant: ({ ageSeconds, toleranceSeconds }) => Math.abs(ageSeconds) === toleranceSeconds,
}

export const slightlyAhead: Difference = {
  name: 'Timestamp a little ahead',
  reason: 'The library refuses a clock that is ahead by one second. We allow as much ahead as behind.',
  we: 'accept',
  isMeant: ({ ageSeconds, toleranceSeconds = 0 }) => ageSeconds < 0 && ageSeconds >= -toleranceSeconds,
}
