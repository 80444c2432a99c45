import type { Provider } from '../index.ts'
import type { Random } from '../testing/random.ts'
import type { Counter } from './counter.ts'
import type { Courier } from './courier.ts'
import type { EventMaker } from './events.ts'
import type { Finding } from './findings.ts'
import type { StateProbe } from './probes/probe.ts'
import type { ServerUnderTest } from './server-under-test.ts'
import type { Timeline } from './timeline.ts'

/** What a scenario is given to work with. */
export type Stage = {
  readonly provider: Provider
  /** Signs with another secret than the endpoint knows. */
  readonly stranger: Provider | undefined
  readonly events: EventMaker
  readonly courier: Courier
  readonly counter: Counter
  readonly readState: StateProbe | undefined
  readonly countsBy: 'event' | 'object'
  readonly random: Random
  readonly timeline: Timeline
  readonly server: ServerUnderTest | undefined
  readonly settings: Settings
  /** How long one answer takes when nothing else happens. */
  readonly latencyMilliseconds: number
}

/** What a user may set. */
export type Settings = {
  /** How many copies come at once. */
  readonly copies: number
  /** How often the server is killed in the middle of its work. */
  readonly kills: number
  readonly lateSeconds: number
  readonly deadlineSeconds: number
  readonly recoverySeconds: number
  readonly parentType: string | undefined
  readonly childType: string | undefined
}

export type ScenarioGroup = 'copies' | 'identity' | 'order' | 'authenticity' | 'input' | 'crashes'

/** One promise of a handler, and how it is put to the test. Independent of every other. */
export type Scenario = {
  readonly name: string
  readonly group: ScenarioGroup
  /** What should hold, in a sentence. */
  readonly promise: string
  readonly run: (stage: Stage) => Promise<Finding>
}
