import { randomBytes } from 'node:crypto'
import { systemClock } from '../clock.ts'
import { invalidOptions } from '../errors.ts'
import type { Clock, Delivery, Provider } from '../index.ts'
import { type FaultRates, faultKinds } from './faults.ts'
import type { SimulationProgress } from './report.ts'

/** Which attempt a delivery belongs to. */
export type AttemptNote = {
  readonly eventId: string
  /** 1 for the first. */
  readonly attempt: number
  /** The time that the delivery was signed with. */
  readonly signedAt: Date
  /** The moment in simulated time. */
  readonly simulatedAt: Date
}

/** Hands a delivery to a handler in this process. A `Response` is a fine answer. `note` is undefined for a greeting. */
export type SimulatedSend = (
  delivery: Delivery,
  signal: AbortSignal,
  note: AttemptNote | undefined,
) => Promise<{ readonly status: number }>

/** Which provider is simulated, against which endpoint, and how bad its network is. */
export type SimulateOptions = {
  /** Signs the events, with the secret that the endpoint knows. */
  readonly provider: Provider
  /** The endpoint. Either this or `send`. */
  readonly url?: string
  /** A handler in this process, in place of an address. */
  readonly send?: SimulatedSend
  /** How many events happen. Default 100. */
  readonly events?: number
  /** How far apart they are on average, in simulated seconds. Default 60. */
  readonly everySeconds?: number
  /** Their types. Default: all that there are samples of. */
  readonly types?: readonly string[]
  /** How many times as fast as real time. Default `jump`: from one attempt to the next, without any waiting. */
  readonly speed?: number | 'jump'
  /** The same seed makes the same events happen and the same faults. Default: a new one, which the report tells. */
  readonly seed?: string
  /** How likely each fault is, from 0 to 1. Default: none. */
  readonly faults?: FaultRates
  /** The endpoint is out of reach for so long. Default for its begin: after a third of the events. In simulated seconds. */
  readonly outage?: { readonly seconds: number; readonly afterSeconds?: number }
  /** How long the provider waits for an answer, in real seconds. Default: what is documented of it, else 10. */
  readonly deadlineSeconds?: number
  /** Whether deliveries are signed with the real time or with the simulated one. Default `real`. */
  readonly signWith?: 'real' | 'simulated'
  /** When the simulated time begins. Default: so that the last event happens about now. */
  readonly startAt?: Date
  /** Stop after so much simulated time. Default: when every event is delivered or given up. */
  readonly forSeconds?: number
  /** The greeting of a new endpoint; `false` leaves it out. A few greetings carry what the endpoint is configured with. */
  readonly greeting?: false | { readonly secret?: string; readonly verifyToken?: string }
  /** How many requests may be under way at once. Default 10. */
  readonly atOnce?: number
  /** Real time: for signing, and for waiting at a steady speed. */
  readonly clock?: Clock
  /** Ends the simulation early; the report then tells how far it came. */
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: SimulationProgress) => void
}

/** The options with every default in place. */
export type CheckedSimulation = {
  readonly events: number
  readonly everySeconds: number
  readonly speed: number | 'jump'
  readonly seed: string
  readonly faults: FaultRates
  readonly atOnce: number
  readonly clock: Clock
  readonly signWith: 'real' | 'simulated'
  readonly forSeconds: number
  /** Where requests are said to go to, for providers that sign the address. */
  readonly url: string
}

/** Everything that is wrong with the options, in one error. */
export function checkSimulation(options: SimulateOptions): CheckedSimulation {
  const mistakes = mistakesOf(options)
  if (mistakes.length > 0) throw invalidOptions('The simulation', mistakes)
  const { provider } = options
  return {
    events: options.events ?? 100,
    everySeconds: options.everySeconds ?? 60,
    speed: options.speed ?? 'jump',
    seed: options.seed ?? randomBytes(4).toString('hex'),
    faults: options.faults ?? {},
    atOnce: options.atOnce ?? 10,
    clock: options.clock ?? systemClock,
    signWith: options.signWith ?? 'real',
    forSeconds: options.forSeconds ?? Number.POSITIVE_INFINITY,
    url: options.url ?? provider.settings.publicUrl ?? `https://hooks.example.com/${provider.name}`,
  }
}

function mistakesOf(options: SimulateOptions): readonly string[] {
  const { url, send, faults = {}, outage, speed = 'jump', signWith = 'real', events = 1, atOnce = 1, types } = options
  const positive = {
    everySeconds: options.everySeconds,
    deadlineSeconds: options.deadlineSeconds,
    forSeconds: options.forSeconds,
  }
  const known: readonly string[] = faultKinds
  return [
    ...((url === undefined) === (send === undefined) ? ['Give either "url" or "send".'] : []),
    ...(url === undefined || isAddress(url) ? [] : ['"url" has to start with http:// or https://.']),
    ...(isWhole(events, 1_000_000) ? [] : ['"events" has to be a whole number from 1 to 1,000,000.']),
    ...(isWhole(atOnce, 1_000) ? [] : ['"atOnce" has to be a whole number from 1 to 1,000.']),
    ...(types === undefined || types.length > 0 ? [] : ['"types" is empty.']),
    ...Object.entries(positive).flatMap(([name, value]) =>
      value === undefined || value > 0 ? [] : [`"${name}" has to be a number above 0.`],
    ),
    ...(speed === 'jump' || speed > 0 ? [] : ['"speed" has to be a number above 0, or "jump".']),
    ...(signWith === 'real' || signWith === 'simulated' ? [] : ['"signWith" has to be "real" or "simulated".']),
    ...Object.entries(faults).flatMap(([kind, rate]) => [
      ...(known.includes(kind) ? [] : [`There is no fault ${JSON.stringify(kind)}. There are: ${known.join(', ')}.`]),
      ...(rate >= 0 && rate <= 1 ? [] : [`The rate of "${kind}" has to be a number from 0 to 1.`]),
    ]),
    ...(outage === undefined || (outage.seconds > 0 && (outage.afterSeconds ?? 0) >= 0)
      ? []
      : ['"outage.seconds" has to be above 0, and "outage.afterSeconds" not below.']),
  ]
}

function isWhole(value: number, atMost: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= atMost
}

function isAddress(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url)
}
