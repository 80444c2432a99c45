import type { Delivery } from '../../src/delivery/delivery.ts'
import type { Adapter, Difference, Library, Situation } from './adapter.ts'
import { toAsked } from './asked.ts'
import { atMoment } from './fixed-date.ts'
import { type MadeRequest, makeRequests, sourceFor, type Workshop } from './make-requests.ts'

/** What came of comparing one library with us. */
export type Comparison = {
  readonly adapter: Adapter
  readonly requests: number
  readonly bothAccept: number
  readonly bothRefuse: number
  /** How often each listed difference showed. */
  readonly listed: ReadonlyMap<Difference, number>
  readonly known: ReadonlyMap<Difference, number>
  readonly unlisted: readonly Disagreement[]
}

/** A request that only one of us believes, without a reason. */
export type Disagreement = {
  readonly request: MadeRequest
  readonly ours: string
  readonly theirs: 'accepted' | 'refused'
}

/** Asks both of us about every request. */
export async function compare(workshop: Workshop, count: number): Promise<Comparison> {
  const { adapter } = workshop
  const counts = { bothAccept: 0, bothRefuse: 0 }
  const listed = new Map(adapter.differences.map((difference) => [difference, 0]))
  const known = new Map((adapter.known ?? []).map((difference) => [difference, 0]))
  const unlisted: Disagreement[] = []
  for await (const request of makeRequests(workshop, count)) {
    const ours = await ourVerdict(workshop, request)
    const theirs = await isBelieved(workshop, request)
    const isOurs = ours === 'authentic'
    if (isOurs === theirs) {
      counts[isOurs ? 'bothAccept' : 'bothRefuse'] += 1
      continue
    }
    const situation = situationOf(workshop, request)
    // Whatever is listed: what only we accept has to be exactly what was signed.
    const mayDiffer = !isOurs || request.isAsSigned
    const isThis = ({ we, isMeant }: Difference) => mayDiffer && (we === 'accept') === isOurs && isMeant(situation)
    const place = [listed, known].find((differences) => [...differences.keys()].some(isThis))
    const difference = [...(place?.keys() ?? [])].find(isThis)
    if (place === undefined || difference === undefined) {
      unlisted.push({ request, ours, theirs: theirs ? 'accepted' : 'refused' })
    } else place.set(difference, (place.get(difference) ?? 0) + 1)
  }
  return { adapter, requests: count, ...counts, listed, known, unlisted }
}

async function ourVerdict(workshop: Workshop, { delivery, at, expected }: MadeRequest): Promise<string> {
  const source = sourceFor(workshop, expected)
  const input = { ...delivery, headers: Object.fromEntries(delivery.headers) }
  const verdict = source.verify(input, at, await source.secretsFor(input))
  switch (verdict.kind) {
    case 'authentic':
      return 'authentic'
    case 'forged':
      return `forged, ${verdict.reason}`
    case 'malformed':
      return `malformed, ${verdict.detail}`
  }
}

async function isBelieved({ adapter, library }: Workshop, { delivery, at, expected }: MadeRequest): Promise<boolean> {
  for (const index of expected) {
    if (await asksOnce(library, delivery, adapter.keys[index].library, at)) return true
  }
  return false
}

async function asksOnce(library: Library, delivery: Delivery, key: string, at: Date): Promise<boolean> {
  try {
    return await atMoment(at, () => library.verify(toAsked(delivery, key, at)))
  } catch {
    return false
  }
}

function situationOf({ adapter, create, samples, library, seed }: Workshop, request: MadeRequest): Situation {
  const { delivery, at, mutation, ageSeconds, rightProof } = request
  const { toleranceSeconds } = sourceFor({ adapter, create, samples, library, seed }, [0]).facts
  return {
    mutation,
    delivery,
    asked: toAsked(delivery, adapter.keys[0].library, at),
    ageSeconds,
    toleranceSeconds,
    rightProof,
    proof: proofOf(adapter, delivery),
  }
}

/** A body that was changed may be no document any more. */
function proofOf({ proof }: Adapter, delivery: Delivery): string {
  try {
    return proof.read(delivery)
  } catch {
    return ''
  }
}
