import { randomBytes } from 'node:crypto'
import { invalidOptions } from '../errors.ts'
import type { Provider } from '../index.ts'
import type { Send } from './in-process-sender.ts'
import type { Probe, StateProbe } from './probes/probe.ts'
import type { Progress } from './report.ts'
import type { Scenario, Settings } from './scenario.ts'
import { allScenarios } from './scenarios/all-scenarios.ts'

/** What is proved, against which endpoint, and how effects are counted. */
export type ProveOptions = {
  /** Signs the events, with the secret that the endpoint knows. */
  readonly provider: Provider
  /** The endpoint. Either this or `send`. */
  readonly url?: string
  /** A handler in this process, in place of an address. */
  readonly send?: Send
  /** The same provider with another secret, for forgeries. */
  readonly stranger?: Provider
  /** Counts how often an event took effect. Without it only what shows from outside is judged. */
  readonly probe?: Probe
  /** Whether the probe counts the effects of an event or of its object. Default `event`. */
  readonly countsBy?: 'event' | 'object'
  /** Reads what is stored about an object, for the scenarios about order. */
  readonly readState?: StateProbe
  /** The command that runs the server, for the scenarios about crashes. Needs `url`. */
  readonly start?: string
  /** The type of the events. Default: the provider's most typical one. */
  readonly type?: string
  /** The type of an event that `childType` needs to have come first. */
  readonly parentType?: string
  readonly childType?: string
  /** Names of scenarios. Default: all. */
  readonly only?: readonly string[]
  readonly skip?: readonly string[]
  /** The same seed makes the same choices. Default: a new one, which the report tells. */
  readonly seed?: string
  /** How many copies come at once. Default 50. */
  readonly copies?: number
  /** How often the server of `start` is killed in the middle of its work. Default 12. */
  readonly kills?: number
  /** How late the late copy is. Default 3. */
  readonly lateSeconds?: number
  /** How long the provider waits for an answer. Default: what is known of it, else 10. */
  readonly deadlineSeconds?: number
  /** How long an effect may take. Default 10. */
  readonly patienceSeconds?: number
  /** How long an effect may take after a crash. Default 45. */
  readonly recoverySeconds?: number
  /** How long the server of `start` may take to start. Default 60. */
  readonly startSeconds?: number
  readonly onProgress?: (progress: Progress) => void
}

/** The options with every default in place. */
export type CheckedOptions = {
  readonly scenarios: readonly Scenario[]
  readonly seed: string
  readonly settings: Settings
  readonly patienceSeconds: number
  readonly startSeconds: number
  /** Where requests are said to go to, for providers that sign the address. */
  readonly url: string
}

/** Everything that is wrong with the options, in one error. */
export function checkOptions(options: ProveOptions): CheckedOptions {
  const { provider, url, send, start, only = [], skip = [] } = options
  const names = allScenarios.map(({ name }) => name)
  const mistakes = [
    ...((url === undefined) === (send === undefined) ? ['Give either "url" or "send".'] : []),
    ...(url !== undefined && !isAddress(url) ? ['"url" has to start with http:// or https://.'] : []),
    ...(start !== undefined && url === undefined ? ['"start" needs "url": where the server will listen.'] : []),
    ...[...only, ...skip]
      .filter((name) => !names.includes(name))
      .map((name) => `There is no scenario ${JSON.stringify(name)}. There are: ${names.join(', ')}.`),
    ...((options.parentType === undefined) === (options.childType === undefined)
      ? []
      : ['Give "parentType" and "childType" together.']),
    ...numberMistakes(options),
  ]
  if (mistakes.length > 0) throw invalidOptions('The prover', mistakes)
  return {
    scenarios: allScenarios.filter(({ name }) => (only.length === 0 || only.includes(name)) && !skip.includes(name)),
    seed: options.seed ?? randomBytes(4).toString('hex'),
    patienceSeconds: options.patienceSeconds ?? 10,
    startSeconds: options.startSeconds ?? 60,
    url: url ?? `https://hooks.example.com/${provider.name}`,
    settings: {
      copies: options.copies ?? 50,
      kills: options.kills ?? 12,
      lateSeconds: options.lateSeconds ?? 3,
      deadlineSeconds: options.deadlineSeconds ?? provider.facts.deadlineSeconds ?? 10,
      recoverySeconds: options.recoverySeconds ?? 45,
      parentType: options.parentType,
      childType: options.childType,
    },
  }
}

function isAddress(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url)
}

const numbers = ['lateSeconds', 'deadlineSeconds', 'patienceSeconds', 'recoverySeconds', 'startSeconds'] as const

function numberMistakes(options: ProveOptions): readonly string[] {
  const isWhole = (value = 2, atLeast = 0): boolean => Number.isSafeInteger(value) && value >= atLeast && value <= 1_000
  return [
    ...(isWhole(options.copies, 2) ? [] : ['"copies" has to be a whole number from 2 to 1000.']),
    ...(isWhole(options.kills, 1) ? [] : ['"kills" has to be a whole number from 1 to 1000.']),
    ...numbers
      .filter((name) => options[name] !== undefined && !(Number.isFinite(options[name]) && (options[name] ?? 0) > 0))
      .map((name) => `"${name}" has to be above 0.`),
  ]
}
