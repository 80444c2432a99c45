import type { Delivery, EventToSign, Provider } from '../index.ts'
import { loadSamples, type SampleSet, sampleProviders } from '../testing/samples/index.ts'

/** An event that can be sent any number of times. */
export type ProverEvent = {
  /** The id by which the receiver should know it. */
  readonly id: string
  /** The thing it is about, where the provider says so. */
  readonly objectId: string | undefined
  readonly occurredAt: Date | undefined
  readonly body: Uint8Array
  /** The same bytes every time, freshly signed: so do providers, and an old signature would be refused. */
  readonly deliver: (at: Date) => Delivery
}

/** Makes the events of one scenario. None of them was ever sent before. */
export type EventMaker = {
  readonly fresh: (type?: string) => ProverEvent
  /** Two events with two ids about the same object; undefined where the provider's events cannot be made so. */
  readonly pairForOneChange: () => readonly [ProverEvent, ProverEvent] | undefined
  /** Events of one object, each later than the one before and with other content; undefined where that cannot be made. */
  readonly history: (length: number) => readonly ProverEvent[] | undefined
  /** An event and one that follows from it: both ids are made of the same digits. */
  readonly related: (parentType: string, childType: string) => { parent: ProverEvent; child: ProverEvent }
  /** The event with another body, freshly signed. Undefined if it would no longer be the same event. */
  readonly withBody: (event: ProverEvent, body: Uint8Array) => ProverEvent | undefined
}

export type EventSource = {
  readonly provider: Provider
  readonly samples: SampleSet | undefined
  readonly url: string
  readonly type: string | undefined
  /** New for every run: the endpoint remembers the events of earlier ones. */
  readonly runId: string
}

/** The samples of the provider, if there are any. */
export async function samplesOf(provider: Provider): Promise<SampleSet | undefined> {
  return sampleProviders.includes(provider.name) ? loadSamples(provider.name) : undefined
}

/** Whether two deliveries of the event have one id. Where a provider sends none, nobody can tell a copy from a new event. */
export function hasStableId(provider: Provider, event: ProverEvent): boolean {
  const ids = [1, 2].map(() => eventOf(provider, event.deliver(new Date())).id)
  return event.id !== '' && ids.every((id) => id === event.id)
}

/** The maker for one scenario. */
export function createEventMaker(source: EventSource, scenario: string): EventMaker {
  const { provider, samples, url, runId } = source
  let made = 0
  const nextSeed = (): string => {
    made += 1
    return `${runId} ${scenario} ${made}`
  }
  const compose = ({ type = source.type, id, seed, at = new Date() }: Wish): EventToSign => {
    const plain = { ...(type !== undefined && { type }), ...(id !== undefined && { id }) }
    const isSample = samples !== undefined && (type === undefined || samples.types.includes(type))
    return isSample ? samples.make({ ...plain, at, seed }) : plain
  }
  const make = (wish: Wish): ProverEvent => {
    const first = provider.sign({ ...compose(wish), url }, new Date())
    return eventOf(provider, first)
  }
  return {
    fresh: (type) => make({ type, seed: nextSeed() }),
    pairForOneChange() {
      const seed = nextSeed()
      const one = make({ seed })
      const other = make({ seed, id: make({ seed: nextSeed() }).id })
      const isPair = one.objectId !== undefined && one.objectId === other.objectId && one.id !== other.id
      return isPair ? [one, other] : undefined
    },
    history(length) {
      const seed = nextSeed()
      const begin = Date.now() - length * 60_000
      const versions = Array.from({ length }, (_, index) => {
        const id = make({ seed: nextSeed() }).id
        const event = make({ seed, id, at: new Date(begin + index * 60_000) })
        const body = withOtherContent(event.body, index + 1)
        return body === undefined ? undefined : rebodied(provider, event, body)
      })
      const events = versions.filter((event) => event !== undefined)
      const ids = new Set(events.map(({ id }) => id))
      const times = events.map(({ occurredAt }) => occurredAt?.getTime() ?? Number.NaN)
      const isRising = times.every((time, index) => index === 0 || time > (times[index - 1] ?? Number.NaN))
      const isOneObject = new Set(events.map(({ objectId }) => objectId)).size === 1
      return ids.size === length && isRising && isOneObject ? events : undefined
    },
    related(parentType, childType) {
      const seed = nextSeed()
      const shared = uniqueOf(compose({ type: parentType, seed }))
      const child = compose({ type: childType, seed, id: make({ type: childType, seed: nextSeed() }).id })
      return {
        parent: make({ type: parentType, seed }),
        child: eventOf(provider, provider.sign({ ...withUnique(child, shared), url }, new Date())),
      }
    },
    withBody: (event, body) => rebodied(provider, event, body),
  }
}

type Wish = {
  readonly type?: string | undefined
  readonly id?: string
  readonly seed: string
  readonly at?: Date
}

/** The 24 digits that a sample's ids are made of. */
function uniqueOf(event: EventToSign): string | undefined {
  return /[0-9a-f]{24}/.exec(JSON.stringify(event))?.[0]
}

/** A child's own digits depend on its type: the parent's take their place, but in its id. */
function withUnique(event: EventToSign, shared: string | undefined): EventToSign {
  const { payload } = event
  const own = uniqueOf({ payload: withoutId(payload) })
  if (own === undefined || shared === undefined) return event
  return { ...event, payload: JSON.parse(JSON.stringify(payload).replaceAll(own, shared)) as unknown }
}

function withoutId(payload: unknown): unknown {
  return typeof payload === 'object' && payload !== null ? { ...payload, id: undefined } : payload
}

function eventOf(provider: Provider, first: Delivery): ProverEvent {
  const identified = provider.identify(first)
  const event = Array.isArray(identified) ? identified[0] : undefined
  const headers = Object.fromEntries([...first.headers].map(([name, values]) => [name, values.join(', ')]))
  return {
    id: event?.id ?? '',
    objectId: event?.objectId,
    occurredAt: event?.occurredAt,
    body: first.body,
    deliver: (at) => provider.sign({ url: first.url, method: first.method, headers, body: first.body }, at),
  }
}

function rebodied(provider: Provider, event: ProverEvent, body: Uint8Array): ProverEvent | undefined {
  const before = event.deliver(new Date())
  const headers = Object.fromEntries([...before.headers].map(([name, values]) => [name, values.join(', ')]))
  try {
    const delivery = provider.sign({ url: before.url, method: before.method, headers, body }, new Date())
    const changed = eventOf(provider, delivery)
    return changed.id === event.id ? changed : undefined
  } catch {
    return undefined
  }
}

/** What a handler may well store of an object. */
const numberNames = /amount|total|price|quantity|balance|number|size|count/i
const textNames = /title|message|name|subject|description|text/i

/** The JSON body with other figures, or else other texts; undefined if it has neither. */
export function withOtherContent(body: Uint8Array, version: number): Uint8Array | undefined {
  for (const change of [changeNumbers, changeTexts]) {
    const changed = rewritten(body, (name, value) => change(name, value, version))
    if (changed !== undefined && !Buffer.from(changed).equals(body)) return changed
  }
  return undefined
}

function changeNumbers(name: string, value: unknown, version: number): unknown {
  return typeof value === 'number' && numberNames.test(name) ? value + version : value
}

function changeTexts(name: string, value: unknown, version: number): unknown {
  return typeof value === 'string' && textNames.test(name) ? `${value} ${version}` : value
}

/** The body as JSON with each member replaced; undefined if it is no JSON object. */
export function rewritten(
  body: Uint8Array,
  replace: (name: string, value: unknown) => unknown,
  indentation?: number,
): Uint8Array | undefined {
  try {
    const document: unknown = JSON.parse(Buffer.from(body).toString('utf8'))
    if (typeof document !== 'object' || document === null || Array.isArray(document)) return undefined
    return Buffer.from(JSON.stringify(document, replace, indentation), 'utf8')
  } catch {
    return undefined
  }
}
