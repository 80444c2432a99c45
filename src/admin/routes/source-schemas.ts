import type { DeadlineMeter, NotedDelivery, RetryPattern, SecretUse, SourceDescription } from '../../index.ts'
import { list, object } from '../compound-schema.ts'
import {
  anyText,
  anything,
  choice,
  describes,
  flag,
  named,
  nullable,
  number,
  optional,
  type Schema,
  time,
  whole,
} from '../schema.ts'

/** A source as it is set up. */
export type ShownSource = Omit<SourceDescription, 'deadlineSeconds' | 'retryHours'> & {
  readonly url: string | null
  readonly deadlineSeconds: number | null
  readonly retryHours: number | null
}

/** What is measured of a source; null where there is nothing to measure by. */
export type SourceMeters = {
  readonly deadline: DeadlineMeter | null
  readonly secrets: readonly SecretUse[] | null
}

/** The same with how near to its limits it is. */
export type MeteredSource = ShownSource & { readonly meters: SourceMeters }

/** The same with what came again, and what was refused. */
export type SourceInFull = MeteredSource & {
  readonly retryPattern: RetryPattern | null
  readonly recentRefusals: readonly NotedDelivery[]
}

const members = {
  name: anyText(),
  provider: anyText(),
  title: anyText(),
  documentation: anyText(),
  mode: choice(['inline', 'queued']),
  url: nullable(anyText({ description: 'Where deliveries come in, where that is known.' })),
  handlers: list(
    object({
      name: anyText(),
      types: list(anyText()),
      mode: choice(['inline', 'queued']),
      forwardsTo: optional(anyText()),
    }),
  ),
  deadlineSeconds: nullable(number({ description: 'How long the provider waits for an answer, where that is known.' })),
  retryHours: nullable(
    number({ description: 'For how long the provider tries again by itself, where that is known.' }),
  ),
  keepDays: anything({ description: 'How many days receipts are kept, or the word `forever`.' }),
  isVerified: flag(),
  warnings: list(anyText()),
}

const deadlineMeter = object({
  source: anyText(),
  deadlineSeconds: number(),
  days: whole(),
  deliveries: whole(),
  pastHalf: whole(),
  pastMost: whole(),
  pastAll: whole(),
  slowestSeconds: number(),
  retriesCaused: whole(),
})

const secretUse = object({
  position: whole({ description: 'In the list of secrets; 1 is the first.' }),
  deliveries: whole(),
  lastSeenAt: optional(time()),
  since: optional(time()),
  othersSince: whole(),
  verdict: choice(['in_use', 'quiet', 'unknown']),
})

const metered = {
  ...members,
  meters: object({ deadline: nullable(deadlineMeter), secrets: nullable(list(secretUse)) }),
}

export const source: Schema<MeteredSource> = describes(named('Source', object(metered)))

const retryPattern = object({
  source: anyText(),
  since: time(),
  until: time(),
  events: whole(),
  copies: whole(),
  isComplete: flag(),
  copiesPerEvent: list(object({ copies: whole(), events: whole() })),
  delays: list(object({ fromSeconds: number(), toSeconds: optional(number()), copies: whole() })),
  causes: list(object({ cause: anyText(), copies: whole() })),
  documented: optional(
    object({
      title: anyText(),
      retrySchedule: optional(anyText()),
      retryHours: optional(number()),
      isFailureRetried: flag(),
      manualReplayDays: optional(number()),
      deadlineSeconds: optional(number()),
    }),
  ),
  remarks: list(anyText()),
})

const refusal = object({
  at: time(),
  kind: choice(['forged', 'malformed', 'not_allowed']),
  status: whole(),
  detail: optional(anyText({ description: 'The reason and the likely cause.' })),
  latencyMilliseconds: number(),
})

export const sourceInFull: Schema<SourceInFull> = describes(
  named(
    'SourceInFull',
    object({
      ...metered,
      retryPattern: nullable(retryPattern),
      recentRefusals: list(refusal),
    }),
  ),
)
