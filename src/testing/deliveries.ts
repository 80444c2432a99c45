import { createPublicKey } from 'node:crypto'
import { invalidOptions } from '../errors.ts'
import type { Delivery, EventToSign, Provider } from '../index.ts'
import { providerList } from './catalogue/provider-list.ts'
import type { ProviderName } from './catalogue/provider-name.ts'
import { sampleList } from './catalogue/sample-list.ts'
import type { SampleTypes } from './catalogue/sample-types.ts'
import { placeOf } from './field-places.ts'
import { type Fields, mergeAt, mergeIntoForm } from './merge-fields.ts'
import type { MakeProvider } from './provider-keys.ts'
import { type SampleSet, sampleSet } from './samples/index.ts'
import { type Making, type TestDelivery, testDelivery } from './test-delivery.ts'
import { keysFor, makerOf, testKeys } from './test-keys.ts'

export type { Fields } from './merge-fields.ts'

/** What can be told of a delivery besides its fields. */
export type DeliveryOptions = {
  /** The event's id. Default: a new one, in the form that the provider's ids have. */
  readonly id?: string
  /** The secret that the receiver knows, or the private key (PEM) to its public one. Default: that of `testKeys`. */
  readonly secret?: string
  /** When it is signed. Default: now; an inbox of a test has it signed when it is delivered. */
  readonly at?: Date
  /** When it happened. Default: when it is signed. */
  readonly occurredAt?: Date
  /** Where it goes to. Some providers sign it. */
  readonly url?: string
  /** Added to the provider's own; win over them, but never over the signature. */
  readonly headers?: Readonly<Record<string, string>>
  /** Laid over the whole payload, as `fields` are over the object inside it. */
  readonly envelope?: Fields
  /** The same seed makes the same event. Default: every event is new. */
  readonly seed?: string | number
}

/** Makes a delivery: the event's type, what it says of its object, and the rest. Without a type, the provider's most typical one. */
export type MakeDelivery<Type extends string = string> = (
  // The second half lets any other type pass, and leaves the known ones to be completed.
  type?: Type | (string & {}),
  fields?: Fields,
  options?: DeliveryOptions,
) => TestDelivery

/** For every provider, by the name of its function. */
export type Deliveries = { readonly [Name in ProviderName]: MakeDelivery<SampleTypes[Name]> }

/** Signed deliveries of every provider: `deliveries.stripe('invoice.paid', { amount_paid: 4200 })`. */
export const deliveries: Deliveries = Object.fromEntries(
  (Object.keys(providerList) as ProviderName[]).map((name) => [name, makeDeliveryOf(name)]),
) as Deliveries

/** The same for a provider of your own, or one that you made with keys of yours: `deliveriesOf(hmac({ … }))`. */
export function deliveriesOf(provider: Provider): MakeDelivery {
  return (type, fields, options = {}) => {
    refuse(options.secret !== undefined, '"secret" belongs into the options of the provider that it was given.')
    const wish = { provider, samples: undefined, place: undefined, type, fields, options }
    return makeDelivery(wish, { stranger: undefined, bare: undefined })
  }
}

function makeDeliveryOf(name: ProviderName): MakeDelivery {
  let ready: Ready | undefined
  return (type, fields, options = {}) => {
    ready ??= prepare(name)
    const { make, samples } = ready
    const { secret } = options
    const place = placeOf(name, type ?? samples.types[0])
    const provider = secret === undefined ? ready.provider : providerWith(make, secret)
    return makeDelivery({ provider, samples, place, type, fields, options }, ready)
  }
}

type Ready = {
  readonly make: MakeProvider
  readonly provider: Provider
  readonly stranger: Provider
  readonly bare: Provider
  readonly samples: SampleSet
}

/** Only for providers that a test asks for. */
function prepare(name: ProviderName): Ready {
  const make = makerOf(name)
  const provider = make(testKeys(name))
  const stranger = make(keysFor(name, make, 'forger'))
  const bare = make({ unverified: true })
  return { make, provider, stranger, bare, samples: sampleSet(provider.name, sampleList[name]) }
}

/** Where a provider has no secrets but signs with a private key, that is what was given, and it says what the public one is. */
function providerWith(make: MakeProvider, secret: string): Provider {
  if (!secret.includes('PRIVATE KEY')) return make({ secret })
  const publicKey = createPublicKey(secret).export({ type: 'spki', format: 'pem' }).toString()
  return make({ publicKey, privateKey: secret })
}

type Wish = {
  readonly provider: Provider
  readonly samples: SampleSet | undefined
  readonly place: string | undefined
  readonly type: string | undefined
  readonly fields: Fields | undefined
  readonly options: DeliveryOptions
}

function makeDelivery(wish: Wish, { stranger, bare }: Pick<Making, 'stranger' | 'bare'>): TestDelivery {
  const { provider, options } = wish
  const { at = new Date(), occurredAt = at, url, headers } = options
  refuse(Number.isNaN(at.getTime()), '"at" is not a date.')
  refuse(Number.isNaN(occurredAt.getTime()), '"occurredAt" is not a date.')
  const event = { ...eventOf(wish, occurredAt), ...(url !== undefined && { url }) }
  const first = provider.sign(event, at)
  return testDelivery({
    provider,
    stranger,
    bare,
    event,
    first: withHeaders(first, headers),
    at,
    isTimeGiven: options.at !== undefined,
    isSecretGiven: options.secret !== undefined,
    damage: 'none',
  })
}

/** A sample where there is one of this type, else the provider's plain event; with what the test says laid over it. */
function eventOf({ provider, samples, place, type, fields = {}, options }: Wish, at: Date): EventToSign {
  const { id, envelope = {}, seed } = options
  const plain = { ...(type !== undefined && { type }), ...(id !== undefined && { id }) }
  const isSample = samples !== undefined && (type === undefined || samples.types.includes(type))
  const lay = (payload: unknown): unknown => mergeAt(mergeAt(payload, place, fields), undefined, envelope)
  if (isSample) {
    const sample = samples.make({ ...plain, at, ...(seed !== undefined && { seed }) })
    if (isEmpty(fields) && isEmpty(envelope)) return sample
    if (sample.body !== undefined) return { ...sample, body: layOverBody(sample.body, lay, { ...envelope, ...fields }) }
    return { ...sample, payload: lay(sample.payload) }
  }
  if (isEmpty(fields) && isEmpty(envelope)) return plain
  const { body } = provider.sign(plain, at)
  return { ...plain, payload: lay(documentIn(body) ?? {}) }
}

/** A body that is no JSON is a form. */
function layOverBody(body: Uint8Array | string, lay: (document: unknown) => unknown, fields: Fields): string {
  const document = documentIn(body)
  if (document !== undefined) return JSON.stringify(lay(document))
  return mergeIntoForm(Buffer.from(body).toString('utf8'), fields)
}

function documentIn(body: Uint8Array | string): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'))
  } catch {
    return undefined
  }
}

function withHeaders(delivery: Delivery, headers: Readonly<Record<string, string>> = {}): Delivery {
  const added = Object.entries(headers).map(([name, value]): [string, string[]] => [name.toLowerCase(), [value]])
  return { ...delivery, headers: new Map([...delivery.headers, ...added]) }
}

function isEmpty(fields: Fields): boolean {
  return Object.keys(fields).length === 0
}

function refuse(isWrong: boolean, mistake: string): void {
  if (isWrong) throw invalidOptions('The delivery', [mistake])
}
