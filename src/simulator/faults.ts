import { type Random, randomOf } from '../testing/random.ts'

/** What a network does to a delivery, and a provider on a bad day. */
export type FaultKind =
  /** The request arrives, but the provider stops waiting before the answer is there. */
  | 'timeout'
  /** The request arrives and is answered, but the answer is lost on its way back. */
  | 'lost-answer'
  /** The connection breaks in the middle of the request. */
  | 'reset'
  /** No connection comes about. */
  | 'refused'
  /** The last byte of the request lets the others wait. */
  | 'slow'
  /** The provider sends a copy at the same moment. */
  | 'duplicate'
  /** An event is held back, so that later ones overtake it. */
  | 'reorder'

export const faultKinds: readonly FaultKind[] = [
  'timeout',
  'lost-answer',
  'reset',
  'refused',
  'slow',
  'duplicate',
  'reorder',
]

/** How likely each fault is for an attempt (`reorder`: for an event), from 0 to 1. */
export type FaultRates = Readonly<Partial<Record<FaultKind, number>>>

/** Those of which at most one hits an attempt. */
export type WireFault = Exclude<FaultKind, 'duplicate' | 'reorder'>

const wireFaults = faultKinds.filter((kind): kind is WireFault => kind !== 'duplicate' && kind !== 'reorder')

/** What is to go wrong with one attempt. */
export type AttemptFaults = {
  readonly wire: WireFault | undefined
  readonly isDoubled: boolean
  /** For the moments inside the fault. */
  readonly random: Random
}

/** Chosen by seed, event and attempt alone: the same in every run, whatever happens meanwhile. */
export function faultsOf(
  rates: FaultRates,
  { seed, event, attempt }: { readonly seed: string; readonly event: number; readonly attempt: number },
): AttemptFaults {
  const random = randomOf(seed, `faults of attempt ${attempt} of event ${event}`)
  const drawn = random.fraction()
  let sum = 0
  const wire = wireFaults.find((kind) => {
    sum += rates[kind] ?? 0
    return drawn < sum
  })
  return { wire, isDoubled: random.fraction() < (rates.duplicate ?? 0), random }
}

/** How many events overtake this one. 0: none. */
export function overtakersOf(
  rates: FaultRates,
  { seed, event }: { readonly seed: string; readonly event: number },
): number {
  const random = randomOf(seed, `order of event ${event}`)
  return random.fraction() < (rates.reorder ?? 0) ? 1 + random.below(5) : 0
}
