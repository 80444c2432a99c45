import type { Delivery } from '../../src/delivery/delivery.ts'
import type { SampleSet } from '../../src/testing/samples/index.ts'
import type { Provider } from '../../src/verify/provider.ts'
import type { ProviderOptions } from '../../src/verify/provider-options.ts'
import { withHeaders } from '../../src/verify/scheme.ts'
import type { Adapter, Library } from './adapter.ts'
import { toAsked } from './asked.ts'
import { mutations } from './mutations/index.ts'
import type { Mutation, Preparation, Subject } from './mutations/mutation.ts'
import { type Random, randomOf, seedNewIds } from './random.ts'

/** A request, and how it came about. */
export type MadeRequest = {
  readonly number: number
  readonly mutation: string
  readonly delivery: Delivery
  /** When it arrives. */
  readonly at: Date
  readonly ageSeconds: number
  /** Which of the two keys are expected. */
  readonly expected: readonly (0 | 1)[]
  readonly rightProof: string
  /** True if an expected key signed this very body for this very address. */
  readonly isAsSigned: boolean
}

/** Everything that requests are made with. */
export type Workshop = {
  readonly adapter: Adapter
  readonly library: Library
  readonly create: (options: ProviderOptions) => Provider
  readonly samples: SampleSet
  readonly seed: string
}

const beginning = Date.parse('2026-11-15T12:00:00.000Z')

/** Requests of every kind that means something for the provider, the same for the same seed. */
export async function* makeRequests(workshop: Workshop, count: number): AsyncGenerator<MadeRequest> {
  const { adapter, library } = workshop
  const { facts } = sourceFor(workshop, [0])
  const subject: Subject = { adapter, facts, canSign: library.sign !== undefined }
  const meant = mutations.filter(({ isMeantFor }) => isMeantFor === undefined || isMeantFor(subject))
  for (let number = 0; number < count; number += 1) {
    const random = randomOf([workshop.seed, adapter.provider, adapter.variant ?? '', number].join(' '))
    const forget = seedNewIds(random)
    try {
      yield await makeRequest({ workshop, subject, number, mutation: meant[number % meant.length] as Mutation, random })
    } finally {
      forget()
    }
  }
}

/** Our source, with the keys that are expected. */
export function sourceFor({ adapter, create, samples }: Workshop, expected: readonly (0 | 1)[]): Provider {
  const keys = expected.map((index) => adapter.keys[index].options)
  const [first] = keys
  const all = (name: 'secret' | 'publicKey') =>
    first?.[name] === undefined
      ? {}
      : { [name]: keys.length === 1 ? first[name] : keys.map((options) => options[name]) }
  const { privateKey } = first ?? {}
  return create({
    ...samples.settings,
    ...adapter.options,
    ...all('secret'),
    ...all('publicKey'),
    ...(privateKey === undefined ? {} : { privateKey }),
  })
}

async function makeRequest(order: {
  readonly workshop: Workshop
  readonly subject: Subject
  readonly number: number
  readonly mutation: Mutation
  readonly random: Random
}): Promise<MadeRequest> {
  const { workshop, subject, number, mutation, random } = order
  const { adapter } = workshop
  const prepared: Preparation = {
    ageSeconds: 0,
    signedWith: 0,
    expected: [0],
    signer: 'ours',
    body: (made) => made,
    timestamp: undefined,
    ...mutation.prepare?.(random, subject),
  }
  const at = new Date(beginning + random.below(30 * 86_400) * 1000 + random.pick([0, 0, 1, 500, 999]))
  const signed = await signRequest(workshop, prepared, at, random)
  const delivery = mutation.change?.(signed, random, subject) ?? signed
  const isWhole = Buffer.from(signed.body).equals(delivery.body) && signed.url === delivery.url
  return {
    number,
    mutation: mutation.name,
    delivery,
    isAsSigned: isWhole && prepared.expected.includes(prepared.signedWith),
    at,
    ageSeconds: prepared.ageSeconds,
    expected: prepared.expected,
    rightProof: adapter.proof.read(signed),
  }
}

async function signRequest(workshop: Workshop, prepared: Preparation, at: Date, random: Random): Promise<Delivery> {
  const { adapter, library, samples } = workshop
  const key = adapter.keys[prepared.signedWith]
  const signedAt = new Date(Math.floor(at.getTime() / 1000 - prepared.ageSeconds) * 1000)
  const source = sourceFor(workshop, [prepared.signedWith])
  const event =
    adapter.events?.(random) ??
    samples.make({ type: random.pick(samples.types), at: signedAt, seed: random.bytes(8).toString('hex') })
  const composed = source.sign(event, signedAt)
  const made = Buffer.from(composed.body).toString('utf8')
  const body = prepared.body(made)
  const ours = body === made ? composed : source.sign({ ...event, body }, signedAt)
  if (prepared.signer === 'library' && library.sign !== undefined) {
    return withHeaders(ours, await library.sign(toAsked(ours, key.library, signedAt)))
  }
  const { timestamp } = adapter
  if (prepared.timestamp === undefined || timestamp?.signAnew === undefined) return ours
  return timestamp.signAnew(ours, prepared.timestamp(timestamp.read(ours)), key)
}
