import type { Cause } from './causes.ts'
import type { ScenarioGroup } from './scenario.ts'
import type { TimelineEntry } from './timeline.ts'

/** How one scenario ended. */
export type ScenarioResult = {
  readonly name: string
  readonly group: ScenarioGroup
  readonly promise: string
  /** `unseen`: all that shows from outside is right, but the effects could not be counted. */
  readonly status: 'passed' | 'failed' | 'unseen' | 'skipped'
  /** What happened, in a sentence; for a skipped one, why. */
  readonly saw: string
  readonly milliseconds: number
  /** Of a failure. */
  readonly cause?: Cause
  /** The events that a failure happened to, by id. */
  readonly affected?: readonly string[]
  /** The evidence of a failure. */
  readonly timeline?: readonly TimelineEntry[]
}

/** What the prover says about an endpoint. */
export type ProverReport = {
  /** `safe`: no scenario failed. `could_not_run`: nothing can be said, and `why` says what is missing. */
  readonly verdict: 'safe' | 'unsafe' | 'could_not_run'
  readonly why: string | undefined
  readonly provider: string
  /** Without what a secret could be in. */
  readonly target: string
  readonly seed: string
  readonly startedAt: string
  readonly milliseconds: number
  readonly scenarios: readonly ScenarioResult[]
  /** What nobody could see in this run, in sentences. */
  readonly blindSpots: readonly string[]
}

/** What happens while the prover runs. */
export type Progress =
  | { readonly kind: 'scenario_started'; readonly name: string; readonly number: number; readonly of: number }
  | { readonly kind: 'scenario_ended'; readonly result: ScenarioResult }
