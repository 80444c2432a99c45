import type { FaultKind } from './faults.ts'
import type { RetryPlan } from './retry-plan.ts'

/** Why an attempt was not the first. */
export type SendingReason = 'status' | 'timeout' | 'connection'

/** One attempt to deliver an event. */
export type SimulatedAttempt = {
  /** 1 for the first. */
  readonly number: number
  /** When it was due by the provider's schedule, in simulated seconds after the first. */
  readonly plannedSeconds: number
  /** When it was made, in simulated seconds after the first. */
  readonly madeSeconds: number
  /** The simulated moment. */
  readonly at: string
  /** What came back, as the provider saw it: a status, or in words. */
  readonly outcome: string
  /** Faults that were put in its way. */
  readonly faults: readonly (FaultKind | 'outage')[]
  /** The endpoint's answer where the provider did not get it, or that to a copy. */
  readonly unheard: readonly string[]
  /** How long the answer took, in real time. */
  readonly milliseconds: number
}

/** What became of one event. */
export type SimulatedEventReport = {
  readonly number: number
  readonly ids: readonly string[]
  readonly type: string
  readonly objectId: string | undefined
  /** The simulated moment at which it happened. */
  readonly occurredAt: string
  readonly outcome: 'delivered' | 'given_up' | 'pending' | 'not_sent'
  /** Why it was given up, or not sent. */
  readonly why?: string
  readonly attempts: readonly SimulatedAttempt[]
}

/** One request of the greeting. */
export type GreetingStep = { readonly what: string; readonly isPassed: boolean; readonly saw: string }

/** How the endpoint answered the handshake of the provider. */
export type GreetingReport =
  | { readonly kind: 'none' }
  | { readonly kind: 'skipped'; readonly why: string }
  | { readonly kind: 'passed' | 'failed'; readonly steps: readonly GreetingStep[] }

/** What a simulation leads to. */
export type SimulationReport = {
  /** `could_not_run`: the endpoint cannot be reached. `not_greeted`: it failed the greeting, so no event was sent. */
  readonly verdict: 'delivered' | 'lost_events' | 'not_greeted' | 'could_not_run' | 'stopped'
  readonly why: string | undefined
  readonly provider: string
  readonly target: string
  readonly seed: string
  readonly plan: RetryPlan
  readonly greeting: GreetingReport
  readonly startedAt: string
  readonly milliseconds: number
  /** The simulated time that passed. */
  readonly simulatedSeconds: number
  readonly counts: SimulationCounts
  /** How many events were acknowledged at which attempt. */
  readonly deliveredAtAttempt: Readonly<Record<number, number>>
  /** How often each outcome of an attempt was seen. */
  readonly outcomes: Readonly<Record<string, number>>
  readonly faults: Readonly<Partial<Record<FaultKind | 'outage', number>>>
  readonly events: readonly SimulatedEventReport[]
}

/** The figures of a simulation. */
export type SimulationCounts = {
  readonly events: number
  readonly delivered: number
  readonly givenUp: number
  readonly pending: number
  readonly notSent: number
  readonly attempts: number
  /** Requests to an endpoint that had taken the event already: after a lost answer, and copies. */
  readonly duplicates: number
}

/** What happens while it runs. */
export type SimulationProgress =
  | { readonly kind: 'greeted'; readonly greeting: GreetingReport }
  | {
      readonly kind: 'attempted'
      readonly event: SimulatedEventReport
      readonly attempt: SimulatedAttempt
      readonly counts: SimulationCounts
    }
  | { readonly kind: 'ended'; readonly event: SimulatedEventReport; readonly counts: SimulationCounts }
  | { readonly kind: 'switched_off'; readonly why: string }
