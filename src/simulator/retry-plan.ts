import type { ProviderFacts } from '../index.ts'

/** When a provider would send an event that nobody acknowledges. */
export type RetryPlan = {
  /** The pause before each retry, counted from the attempt before. Empty: one attempt and no more. */
  readonly pausesSeconds: readonly number[]
  /** How long it waits for an answer. */
  readonly deadlineSeconds: number
  /** `documented`: all pauses. `partly`: hours or a number of tries, from which the pauses are made. `not_documented`: nothing at all. */
  readonly schedule: 'documented' | 'partly' | 'not_documented'
  /** What nobody documents and what is done in its place, and what is left out, each as a sentence. */
  readonly notes: readonly string[]
}

/** Where nothing is documented: a minute, then twice as long each time. */
const assumedFirstPauseSeconds = 60
const assumedGrowth = 2
const assumedRetries = 5
/** Longer pauses than this are assumed of nobody. */
const assumedLongestPauseSeconds = 12 * 3600
/** Where a schedule goes on and no end is named. */
const assumedHours = 72
const assumedDeadlineSeconds = 10

type Pauses = {
  readonly pausesSeconds: readonly number[]
  readonly schedule: RetryPlan['schedule']
  readonly note?: string
}

/** What is documented of a provider's retries, and clearly marked what had to be added to make a schedule of it. */
export function retryPlanOf(facts: ProviderFacts): RetryPlan {
  const { sending } = facts
  const { pausesSeconds, schedule, note } = pausesOf(facts)
  const secondHand = 'The schedule is second-hand: it is not from the provider’s own documents.'
  return {
    pausesSeconds,
    schedule,
    deadlineSeconds: facts.deadlineSeconds ?? assumedDeadlineSeconds,
    notes: [
      ...(note === undefined ? [] : [note]),
      ...(sending.isSecondHand === true ? [secondHand] : []),
      ...(facts.deadlineSeconds === undefined
        ? [`How long it waits for an answer is not documented; simulated as ${assumedDeadlineSeconds} s.`]
        : []),
      ...(sending.leftOut ?? []).map((text) => `Not simulated: ${text}`),
    ],
  }
}

function pausesOf(facts: ProviderFacts): Pauses {
  const { retryHours, isFailureRetried, sending } = facts
  const { pausesSeconds: known = [], thenEverySeconds, growth, retries } = sending
  if (thenEverySeconds !== undefined) return regular(facts, thenEverySeconds)
  if (growth !== undefined) return { pausesSeconds: growing(facts, known[0] ?? 0, growth), schedule: 'documented' }
  if (known.length > 0 && retries === undefined && sending.goesOn !== true) {
    return { pausesSeconds: known, schedule: 'documented' }
  }
  if (retryHours === 0) return { pausesSeconds: [], schedule: 'documented' }
  if (retryHours !== undefined || retries !== undefined) return filled(facts)
  if (!isFailureRetried) {
    const note = 'Retries are not documented; simulated as a single attempt.'
    return { pausesSeconds: [], schedule: 'not_documented', note }
  }
  const note = `When it tries again is not documented; simulated as ${assumedRetries} retries, 1 minute apart at first, then twice as long each time.`
  return { pausesSeconds: doubling(assumedRetries), schedule: 'not_documented', note }
}

/** The same pause again and again, after those that are named. */
function regular({ retryHours, sending }: ProviderFacts, everySeconds: number): Pauses {
  const pausesSeconds = [...(sending.pausesSeconds ?? [])]
  const end = (retryHours ?? assumedHours) * 3600
  const isOver = (): boolean =>
    pausesSeconds.length >= (sending.retries ?? Number.POSITIVE_INFINITY) || sumOf(pausesSeconds) + everySeconds > end
  while (!isOver()) pausesSeconds.push(everySeconds)
  if (retryHours !== undefined) return { pausesSeconds, schedule: 'documented' }
  const note = `When it gives up is not documented; simulated as after ${assumedHours} hours.`
  return { pausesSeconds, schedule: 'partly', note }
}

/** Each pause a documented number of times as long as the one before. */
function growing({ retryHours, sending }: ProviderFacts, first: number, growth: number): readonly number[] {
  const { retries = Number.POSITIVE_INFINITY, longestPauseSeconds = Number.POSITIVE_INFINITY } = sending
  const end = sending.retries === undefined ? (retryHours ?? assumedHours) * 3600 : Number.POSITIVE_INFINITY
  const pauses: number[] = []
  for (let next = first; pauses.length < retries && sumOf(pauses) + next <= end; next *= growth) {
    next = Math.min(next, longestPauseSeconds)
    pauses.push(next)
  }
  return pauses
}

/** Pauses that nobody names, made so that the documented hours or number of retries come out. */
function filled({ retryHours, sending }: ProviderFacts): Pauses {
  const { pausesSeconds: known = [], retries, longestPauseSeconds = assumedLongestPauseSeconds } = sending
  const hours = retryHours ?? 0
  if (retries !== undefined && retryHours !== undefined && known.length <= 1) {
    const first = known[0] ?? Math.min(assumedFirstPauseSeconds, (hours * 3600) / retries)
    const pausesSeconds = spread({ first, retries, seconds: hours * 3600 })
    const note = `The single pauses are not documented; simulated as growing, so that ${retries} retries fill ${secondsInWords(hours * 3600)}.`
    return { pausesSeconds, schedule: 'partly', note }
  }
  const pausesSeconds = [...known]
  const first = Math.min(assumedFirstPauseSeconds, retryHours === undefined ? Number.POSITIVE_INFINITY : hours * 360)
  const next = (): number => {
    const last = pausesSeconds.at(-1)
    return Math.min(last === undefined ? first : last * assumedGrowth, longestPauseSeconds)
  }
  const isOver = (): boolean =>
    retries === undefined ? sumOf(pausesSeconds) + next() > hours * 3600 : pausesSeconds.length >= retries
  while (!isOver()) pausesSeconds.push(next())
  return { pausesSeconds, schedule: 'partly', note: doublingNote(pausesSeconds, known.length, longestPauseSeconds) }
}

function doublingNote(pausesSeconds: readonly number[], known: number, longest: number): string {
  const [first = 0] = pausesSeconds
  if (pausesSeconds.length === 1)
    return `When it tries again is not documented; simulated as ${secondsInWords(first)} later.`
  const which = known === 0 ? 'The single pauses are' : 'The later pauses are'
  const start = known === 0 ? `, from ${secondsInWords(first)} on` : ''
  const limit = pausesSeconds.includes(longest) ? `, up to ${secondsInWords(longest)}` : ''
  return `${which} not documented; simulated as twice as long each time${start}${limit}.`
}

/** So many pauses from the first on, each longer by the same factor, that add up to the seconds. */
function spread({
  first,
  retries,
  seconds,
}: {
  readonly first: number
  readonly retries: number
  readonly seconds: number
}): readonly number[] {
  const series = (factor: number): readonly number[] =>
    Array.from({ length: retries }, (_, index) => first * factor ** index)
  let [low, high] = [1, 100]
  for (let round = 0; round < 60; round += 1) {
    const middle = (low + high) / 2
    if (sumOf(series(middle)) > seconds) high = middle
    else low = middle
  }
  return series(low).map(Math.round)
}

function doubling(retries: number): readonly number[] {
  return Array.from({ length: retries }, (_, index) => assumedFirstPauseSeconds * assumedGrowth ** index)
}

/** `45 s`, `5 min`, `12 h`. */
export function secondsInWords(seconds: number): string {
  if (seconds < 120 && seconds !== 60) return `${Math.round(seconds * 10) / 10} s`
  if (seconds < 7_200 && seconds !== 3_600) return `${Math.round(seconds / 6) / 10} min`
  return seconds < 172_800 ? `${Math.round(seconds / 360) / 10} h` : `${Math.round(seconds / 8_640) / 10} d`
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}
