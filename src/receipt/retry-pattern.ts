import type { ProviderFacts } from '../verify/provider.ts'

/**
 * Why an event was sent again, as far as it can be told: `error_answer`, we answered with an error; `slow_answer`, our answer took longer
 * than the provider waits; `resent`, long after the provider tries by itself, so somebody asked for it; `at_once`, within two seconds;
 * `changed_body`, other bytes under the same id; `replayed_body`, the same bytes under another id; `provider`, none of these: its own doing.
 */
export type RetryCause =
  | 'error_answer'
  | 'slow_answer'
  | 'resent'
  | 'at_once'
  | 'changed_body'
  | 'replayed_body'
  | 'provider'

/** How often, after how long and why the events of one source came again. */
export type RetryPattern = {
  readonly source: string
  readonly since: Date
  readonly until: Date
  /** Events that came more than once. */
  readonly events: number
  /** Deliveries beyond the first of each event. */
  readonly copies: number
  /** False if there were more copies than are looked at: then these are the newest ones. */
  readonly isComplete: boolean
  readonly copiesPerEvent: readonly { readonly copies: number; readonly events: number }[]
  /** How long after the delivery before it a copy came, in buckets that grow. The last one has no end. */
  readonly delays: readonly DelayBucket[]
  /** The most frequent first. */
  readonly causes: readonly { readonly cause: RetryCause; readonly copies: number }[]
  /** What the provider documents; undefined for a source that this inbox does not have. */
  readonly documented: DocumentedRetries | undefined
  /** What stands out, in sentences for people. */
  readonly remarks: readonly string[]
}

/** How many copies came after how long. */
export type DelayBucket = {
  readonly fromSeconds: number
  readonly toSeconds: number | undefined
  readonly copies: number
}

/** What the provider says it does, to compare with. */
export type DocumentedRetries = Pick<
  ProviderFacts,
  'title' | 'retrySchedule' | 'retryHours' | 'isFailureRetried' | 'manualReplayDays' | 'deadlineSeconds'
>

/** Which copies are meant. */
export type RetryPatternFilter = {
  /** Default: every source that has copies. */
  readonly source?: string
  /** Default: the last seven days. */
  readonly since?: Date
}

/** What tells the causes of one source apart. */
export type RetryLimits = {
  readonly source: string
  readonly deadlineSeconds: number | undefined
  readonly retryHours: number | undefined
  /** Whether its handlers run before the answer, so that a slow one makes it late. */
  readonly isInline: boolean
}

/** What the store has counted for one source. */
export type CountedRetries = Pick<RetryPattern, 'source' | 'copiesPerEvent' | 'causes'> & {
  readonly since: Date
  readonly until: Date
  readonly isComplete: boolean
  /** One for each of `delayBounds` and one beyond the last. */
  readonly delays: readonly number[]
}

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** Where the buckets of delays end, in seconds: each a few times the one before. */
export const delayBounds: readonly number[] = [
  1,
  5,
  15,
  minute,
  5 * minute,
  15 * minute,
  hour,
  4 * hour,
  12 * hour,
  day,
  3 * day,
  7 * day,
  30 * day,
]

/** The counts beside what the provider documents. */
export function retryPatternOf(counted: CountedRetries, facts: ProviderFacts | undefined): RetryPattern {
  const { source, since, until, isComplete, copiesPerEvent, causes } = counted
  return {
    source,
    since,
    until,
    events: sum(copiesPerEvent.map(({ events }) => events)),
    copies: sum(causes.map(({ copies }) => copies)),
    isComplete,
    copiesPerEvent,
    delays: counted.delays.map((copies, index) => ({
      fromSeconds: delayBounds[index - 1] ?? 0,
      toSeconds: delayBounds[index],
      copies,
    })),
    causes: causes.toSorted((one, other) => other.copies - one.copies),
    documented: facts === undefined ? undefined : documentedOf(facts),
    remarks: causes.map(({ cause, copies }) => remarkOn(cause, copies, facts)),
  }
}

/** What the causes of a source are told apart by. */
export function retryLimitsOf(source: string, facts: ProviderFacts, mode: 'inline' | 'queued'): RetryLimits {
  const { deadlineSeconds, retryHours } = facts
  return { source, deadlineSeconds, retryHours, isInline: mode === 'inline' }
}

function documentedOf(facts: ProviderFacts): DocumentedRetries {
  const { title, retrySchedule, retryHours, isFailureRetried, manualReplayDays, deadlineSeconds } = facts
  return { title, retrySchedule, retryHours, isFailureRetried, manualReplayDays, deadlineSeconds }
}

function remarkOn(cause: RetryCause, count: number, facts: ProviderFacts | undefined): string {
  const who = facts?.title ?? 'the provider'
  const copies = count === 1 ? '1 copy' : `${count} copies`
  switch (cause) {
    case 'error_answer':
      return `${copies} came after an answer of 500: look at the attempts that failed.`
    case 'slow_answer':
      return `${copies} came after an answer that took longer than ${patienceOf(who, facts)}: do less before the answer, or run the handlers queued.`
    case 'resent':
      return `${copies} came when ${who} no longer sends again by itself${windowOf(facts)}: somebody resent them, or a gap was filled.`
    case 'at_once':
      return `${copies} came within two seconds of another: sent twice, for example by two endpoints for the same source.`
    case 'changed_body':
      return `${copies} had other bytes under a known id: is the id the event's own?`
    case 'replayed_body':
      return `${copies} had a known body under another id.`
    case 'provider':
      return `${copies} came although the answer before was right and in time: ${who} lost it, or sends more than once.`
  }
}

function patienceOf(who: string, facts: ProviderFacts | undefined): string {
  return facts?.deadlineSeconds === undefined
    ? `10 s (how long ${who} waits is not documented)`
    : `the ${facts.deadlineSeconds} s for which ${who} waits`
}

function windowOf(facts: ProviderFacts | undefined): string {
  if (facts?.retryHours === undefined) return ''
  return facts.retryHours === 0 ? ' (it never does)' : ` (it does for ${facts.retryHours} hours)`
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
