import type { Delivery } from '../../../src/delivery/delivery.ts'
import type { ProviderFacts } from '../../../src/verify/provider.ts'
import type { Adapter } from '../adapter.ts'
import type { Random } from '../random.ts'

/** What a mutation knows of the provider. */
export type Subject = {
  readonly adapter: Adapter
  readonly facts: Pick<ProviderFacts, 'toleranceSeconds' | 'isUrlSigned'>
  /** Whether the library can sign as well. */
  readonly canSign: boolean
}

/** How a request is made before it is changed. */
export type Preparation = {
  /** How long ago it was signed; negative for the future. */
  readonly ageSeconds: number
  /** Which of the two keys signs it. */
  readonly signedWith: 0 | 1
  /** Which of them are expected. */
  readonly expected: readonly (0 | 1)[]
  readonly signer: 'ours' | 'library'
  /** The body to sign in place of the one that was made. */
  readonly body: (made: string) => string | Uint8Array
  /** The text to sign as the timestamp. */
  readonly timestamp: ((right: string) => string) | undefined
}

/** One way to make a request, valid or not: something is prepared, signed, and then changed. */
export type Mutation = {
  readonly name: string
  readonly isMeantFor?: (subject: Subject) => boolean
  readonly prepare?: (random: Random, subject: Subject) => Partial<Preparation>
  readonly change?: (delivery: Delivery, random: Random, subject: Subject) => Delivery
}

/** The mutations of one kind: what they need, and how each changes a text that it is given. */
export function named<Change>(
  changes: Readonly<Record<string, Change>>,
  toMutation: (change: Change) => Omit<Mutation, 'name'>,
): readonly Mutation[] {
  return Object.entries(changes).map(([name, change]) => ({ name, ...toMutation(change) }))
}

/** Whether bodies are of this kind; without a word they are JSON. */
export function isIn(bodies: Adapter['bodies'], kind: NonNullable<Adapter['bodies']>): boolean {
  return (bodies ?? 'json') === kind
}
