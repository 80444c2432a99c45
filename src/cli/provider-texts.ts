import type { Confidence, ProviderFacts } from '../index.ts'
import { retryPlanOf, secondsInWords as shortly } from '../simulator/retry-plan.ts'

/** A heading and the sentences under it. */
export type ProviderSection = {
  readonly title: string
  readonly sentences: readonly string[]
  /** True for what a reader must not miss. */
  readonly isWarning?: boolean
}

const confidenceTexts: Readonly<Record<Confidence, string>> = {
  executed: 'Checked with the provider’s own library.',
  source: 'Read in the provider’s own source.',
  documents: 'Read in the provider’s documents.',
  unsure: 'UNSURE: second-hand or remembered. Check it against your own deliveries before you rely on it.',
}

/** How far the facts can be trusted. */
function confidenceText({ confidence }: ProviderFacts): string {
  return confidence === undefined ? 'Not said.' : confidenceTexts[confidence]
}

/** Everything that is known of a provider, in the order in which people ask. Sections without content are left out. */
export function sectionsOf(facts: ProviderFacts): readonly ProviderSection[] {
  const sections: readonly ProviderSection[] = [
    { title: 'How it proves itself', sentences: [sentence(facts.scheme), ...toleranceOf(facts)] },
    { title: 'What that does not prove', sentences: facts.weaknesses, isWarning: true },
    { title: 'What tells events apart', sentences: identityOf(facts) },
    { title: 'Retries', sentences: retriesOf(facts) },
    { title: 'Answers', sentences: answersOf(facts) },
    { title: 'Greeting', sentences: facts.handshakeGuide === undefined ? [] : [sentence(facts.handshakeGuide)] },
    { title: 'How it is simulated', sentences: simulationOf(facts) },
    { title: 'How long it is remembered', sentences: [retentionOf(facts)] },
    { title: 'What surprised us', sentences: facts.surprises },
    {
      title: 'How sure this is',
      sentences: [confidenceText(facts), ...uncertainOf(facts)],
      isWarning: facts.confidence === 'unsure',
    },
  ]
  return sections.filter(({ sentences }) => sentences.length > 0)
}

/** How long it tries again, in two or three words. */
export function retryWindow({ retryHours, manualReplayDays }: ProviderFacts): string {
  const own = retryHours === undefined ? 'not documented' : retryHours === 0 ? 'never' : hoursInWords(retryHours)
  return manualReplayDays === undefined ? own : `${own}; by hand ${daysInWords(manualReplayDays)}`
}

/** How long it waits for an answer. */
export function deadline({ deadlineSeconds }: ProviderFacts): string {
  return deadlineSeconds === undefined ? 'not documented' : `${deadlineSeconds} s`
}

function toleranceOf({ toleranceSeconds }: ProviderFacts): readonly string[] {
  return toleranceSeconds === undefined
    ? ['No time is signed, so a captured delivery stays valid; the id is what stops its second effect.']
    : [`The signed time may be ${secondsInWords(toleranceSeconds)} off, in both directions.`]
}

function identityOf({ idField, identityAdvice, isIdSigned, isBatch, order }: ProviderFacts): readonly string[] {
  const told = identityAdvice ?? `Its events are told apart by ${idField}.`
  const signed = isIdSigned
    ? 'The id is covered by the proof.'
    : 'The id is not covered by the proof, so the same body under a new id is flagged.'
  return [
    sentence(told),
    ...(identityAdvice === undefined ? [signed] : []),
    ...(isBatch ? ['One delivery can hold several events; each has a receipt of its own.'] : []),
    ...(order === 'guaranteed' ? ['They arrive in order.'] : []),
    ...(order === 'not_guaranteed' ? ['They can arrive in any order.'] : []),
  ]
}

function retriesOf(facts: ProviderFacts): readonly string[] {
  const { retryHours, retrySchedule, isFailureRetried, manualReplayDays } = facts
  const own =
    retryHours === undefined
      ? 'How long it tries again is not documented.'
      : retryHours === 0
        ? 'It does not try again by itself.'
        : `It tries again for up to ${hoursInWords(retryHours)}.`
  return [
    own,
    ...(retrySchedule === undefined ? [] : [sentence(retrySchedule)]),
    ...(retryHours !== 0 && !isFailureRetried
      ? ['An answer that says failure is not, or hardly, tried again, so what fails here is retried here.']
      : []),
    ...(manualReplayDays === undefined
      ? []
      : [`A person can make it send again for ${daysInWords(manualReplayDays)}.`]),
  ]
}

function answersOf({ deadlineSeconds, successStatus }: ProviderFacts): readonly string[] {
  return [
    sentence(`Success is ${successStatus}`),
    deadlineSeconds === undefined
      ? 'How long it waits is not documented.'
      : `It waits ${secondsInWords(deadlineSeconds)} for an answer.`,
  ]
}

function simulationOf(facts: ProviderFacts): readonly string[] {
  const { pausesSeconds, notes } = retryPlanOf(facts)
  const shown = pausesSeconds.slice(0, 12).map(shortly).join(', ')
  const more = pausesSeconds.length > 12 ? ` and ${pausesSeconds.length - 12} more` : ''
  const attempts =
    pausesSeconds.length === 0
      ? 'An event is sent once.'
      : `An event that nobody acknowledges is sent ${pausesSeconds.length + 1} times. The pauses: ${shown}${more}.`
  return [attempts, ...notes]
}

function retentionOf({ keepDays, isRetryWindowKnown }: ProviderFacts): string {
  return isRetryWindowKnown
    ? `${daysInWords(keepDays)} by default: at least twice as long as an event can be sent again.`
    : `${daysInWords(keepDays)} by default, chosen carefully because the retry window is not documented.`
}

function uncertainOf({ uncertain }: ProviderFacts): readonly string[] {
  return uncertain.length === 0 ? [] : [`Not checked: ${uncertain.join('; ')}.`]
}

/** With a full stop and a capital letter, where the text begins with a plain word. */
function sentence(text: string): string {
  const whole = /[.!?]$/.test(text) ? text : `${text}.`
  return /^[a-z]+ /.test(whole) ? whole.charAt(0).toUpperCase() + whole.slice(1) : whole
}

function hoursInWords(hours: number): string {
  if (hours < 1 / 30) return secondsInWords(Math.ceil(hours * 3600))
  if (hours < 1) return plural(Math.round(hours * 60), 'minute')
  return hours < 48 ? plural(Math.round(hours * 10) / 10, 'hour') : daysInWords(Math.round((hours / 24) * 10) / 10)
}

function daysInWords(days: number): string {
  return plural(days, 'day')
}

function secondsInWords(seconds: number): string {
  return seconds < 120 || seconds % 60 !== 0 ? plural(seconds, 'second') : plural(seconds / 60, 'minute')
}

function plural(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
