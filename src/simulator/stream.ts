import { createHash } from 'node:crypto'
import { invalidOptions } from '../errors.ts'
import type { Delivery, EventToSign, IdentifiedEvent, Provider } from '../index.ts'
import { withOtherContent } from '../prover/events.ts'
import { randomOf } from '../testing/random.ts'
import type { SampleSet } from '../testing/samples/index.ts'
import { attemptMarks } from './attempt-marks.ts'
import { createLives } from './lives.ts'
import type { SendingReason } from './report.ts'

/** One event of a stream, which can be sent any number of times. */
export type SimulatedEvent = {
  /** Its place in the stream, from 1 on. */
  readonly number: number
  /** The ids by which the receiver will know it; several for a batch. */
  readonly ids: readonly string[]
  readonly type: string
  readonly objectId: string | undefined
  /** The same event, signed for this attempt and marked as the provider marks it. */
  readonly deliver: (attempt: AttemptToSign) => Delivery
}

export type AttemptToSign = {
  /** 1 for the first. */
  readonly number: number
  readonly reason: SendingReason | undefined
  /** The time to sign with. */
  readonly at: Date
  readonly firstAt: Date
}

export type StreamOptions = {
  readonly provider: Provider
  readonly samples: SampleSet | undefined
  /** Default: all of the provider's samples. */
  readonly types: readonly string[] | undefined
  readonly url: string
  readonly seed: string
  /** New for each run: an endpoint remembers the events of earlier ones. */
  readonly runId: string
}

/** Makes the next event, which happens at that time. */
export type EventStream = (at: Date) => SimulatedEvent

/** Events that hang together: things that are made, change and end, each event with its own id and a later time. */
export function createStream({ provider, samples, types, url, seed, runId }: StreamOptions): EventStream {
  // A greeting is sent before the stream, and not in the middle of it.
  const known = samples?.types.filter((type) => !/^ping$/i.test(type)) ?? []
  const chosen = types ?? (known.length > 0 ? known : [undefined])
  const nextStep = createLives(
    chosen.map((type) => type ?? ''),
    randomOf(seed, 'stream'),
  )
  const used = new Set<string>()
  let number = 0

  const compose = (
    type: string,
    wish: { readonly id?: string; readonly object?: string; readonly at: Date },
  ): EventToSign => {
    const id = wish.id === undefined ? {} : { id: wish.id }
    const isSample = samples !== undefined && samples.types.includes(type)
    const object = wish.object === undefined ? {} : { object: wish.object }
    if (isSample) return samples.make({ type, at: wish.at, seed: `${runId} ${number}`, ...id, ...object })
    return { ...id, ...(type === '' ? {} : { type }) }
  }
  const sign = (event: EventToSign, at: Date): Delivery => provider.sign({ ...event, url }, at)

  return (at) => {
    number += 1
    const step = nextStep()
    const fresh = sign(compose(step.type, { at }), at)
    const [first] = eventsOf(provider, fresh)
    const own = sign(compose(step.type, { at, id: first.id, object: `${runId} ${step.object}` }), at)
    const changed = step.version === 1 ? own : changedContent(provider, own, { version: step.version, at })
    // Some ids are made of the object alone: then an event about another object has to do.
    const delivery = [changed, own, fresh].find((one) => !used.has(eventsOf(provider, one)[0].id)) ?? fresh
    const events = eventsOf(provider, delivery)
    for (const { id } of events) used.add(id)
    return {
      number,
      ids: events.map(({ id }) => id),
      type: events[0].type,
      objectId: events[0].objectId,
      deliver: (attempt) => signAgain(provider, delivery, attempt),
    }
  }
}

function eventsOf(provider: Provider, delivery: Delivery): readonly [IdentifiedEvent, ...IdentifiedEvent[]] {
  const identified = provider.identify(delivery)
  const [first, ...rest] = 'kind' in identified ? [] : identified
  if (first !== undefined) return [first, ...rest]
  const detail = 'kind' in identified ? identified.detail : 'There is no event in it.'
  throw invalidOptions('The simulation', [
    `Such an event would not be understood as one of ${provider.name}: ${detail}`,
  ])
}

/** The same event with other figures; as it is, where it has none. */
function changedContent(
  provider: Provider,
  delivery: Delivery,
  { version, at }: { readonly version: number; readonly at: Date },
): Delivery {
  const body = withOtherContent(delivery.body, version)
  if (body === undefined) return delivery
  try {
    const changed = provider.sign({ ...requestOf(delivery), body }, at)
    eventsOf(provider, changed)
    return changed
  } catch {
    return delivery
  }
}

/** A provider signs each attempt anew: an old signature would be refused. */
function signAgain(provider: Provider, first: Delivery, { number, reason, at, firstAt }: AttemptToSign): Delivery {
  const marks = attemptMarks[provider.name]
  const request = requestOf(first)
  if (marks === undefined) return provider.sign({ ...request, body: first.body }, at)
  const fresh = createHash('sha256').update(first.body).update(String(number)).digest('hex').slice(0, 32)
  const { headers, document } = marks({ attempt: number, reason, firstAt, document: jsonOf(first.body), fresh })
  const body = document === undefined ? first.body : JSON.stringify(document)
  return provider.sign({ ...request, headers: { ...request.headers, ...headers }, body }, at)
}

function requestOf({ url, method, headers }: Delivery): {
  url: string
  method: string
  headers: Record<string, string>
} {
  return { url, method, headers: Object.fromEntries([...headers].map(([name, values]) => [name, values.join(', ')])) }
}

function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8')) as unknown
  } catch {
    return undefined
  }
}
