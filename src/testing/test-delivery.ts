import { OncehookError } from '../errors.ts'
import type { Delivery, EventToSign, IdentifiedEvent, Provider } from '../index.ts'
import { randomOf } from './random.ts'
import { changeOneByte, corruptSignature, withoutSignature } from './tampering.ts'

/** One delivery of an event, signed as its provider would sign it. It can be handed to `inbox.receive` as it is. */
export type TestDelivery = {
  /** The provider's name, as in `checkout-com`. */
  readonly provider: string
  /** The id by which the receiver knows the event; of a batch, that of its first event. */
  readonly id: string
  readonly type: string
  readonly objectId: string | undefined
  readonly method: string
  readonly url: string
  /** Lower-case names, for clients that take an object of headers. */
  readonly headers: Readonly<Record<string, string>>
  /** The exact bytes. */
  readonly body: Buffer
  /** The body as text, for clients that send texts. */
  readonly text: string
  /** A `Request`, for routes that take one. Signed anew if the address is another one. */
  readonly request: (url?: string) => Request
  /** The same event once more, as the provider sends it when it got no answer: the same id and body, signed at another time. */
  readonly again: (change?: { readonly at?: Date; readonly url?: string }) => TestDelivery
  /** With a byte changed on the way, or a signature that is not right. */
  readonly tampered: () => TestDelivery
  readonly withoutSignature: () => TestDelivery
  /** How it was made, for the inbox of a test. */
  readonly making: Making
}

/** What it takes to sign an event again, for whomever and whenever. */
export type Making = {
  readonly provider: Provider
  /** Another sender, whose signatures nobody should believe, and one that signs nothing. Unknown for a provider of one's own. */
  readonly stranger: Provider | undefined
  readonly bare: Provider | undefined
  readonly event: EventToSign
  /** The event as it was first signed. */
  readonly first: Delivery
  readonly at: Date
  /** Whether the test said when it is signed, and by which secret: then nobody else decides. */
  readonly isTimeGiven: boolean
  readonly isSecretGiven: boolean
  readonly damage: 'none' | 'tampered' | 'unsigned'
}

/** The delivery that is made so. */
export function testDelivery(making: Making): TestDelivery {
  const signed = signedDelivery(making)
  const { id = '', type = '', objectId } = firstEventOf(making) ?? {}
  const body = Buffer.from(signed.body)
  const change = (changed: Partial<Making>): TestDelivery => testDelivery({ ...making, ...changed })
  const atUrl = (url: string | undefined): Pick<Making, 'first'> => ({
    first: url === undefined ? making.first : { ...making.first, url },
  })
  return {
    provider: making.provider.name,
    id,
    type,
    objectId,
    method: signed.method,
    url: signed.url,
    headers: plainHeaders(signed),
    body,
    text: body.toString('utf8'),
    request: (url) => toRequest(url === undefined ? signed : signedDelivery({ ...making, ...atUrl(url) })),
    again: ({ at, url } = {}) =>
      change({ ...atUrl(url), at: at ?? new Date(), isTimeGiven: at !== undefined, damage: 'none' }),
    tampered: () => change({ damage: 'tampered' }),
    withoutSignature: () => change({ damage: 'unsigned' }),
    making,
  }
}

/** The event with the bytes it had first, signed at the moment that is asked for. */
export function signedDelivery(making: Making): Delivery {
  const { provider, first, at, damage } = making
  const delivery = resigned(provider, first, at)
  if (damage === 'none') return delivery
  const damaged = damage === 'tampered' ? tampered(making, delivery) : unsigned(making, delivery)
  if (damaged !== undefined && provider.verify(damaged, at).kind !== 'authentic') return damaged
  throw cannotDamage(provider.name, damage)
}

function resigned(provider: Provider, delivery: Delivery, at: Date): Delivery {
  const { url, method, body } = delivery
  return provider.sign({ url, method, headers: plainHeaders(delivery), body }, at)
}

/** Where no byte is signed, and the proof is in no header, it is as somebody else would send it. */
function tampered({ provider, stranger, event, at, first }: Making, delivery: Delivery): Delivery | undefined {
  const tampering = { provider, stranger, delivery, at }
  return (
    changeOneByte({ ...tampering, random: randomOf('test kit', provider.name) }) ??
    corruptSignature(tampering) ??
    stranger?.sign({ url: first.url, ...event }, at)
  )
}

/** Where the proof is in no header, the event is made again by a sender that has none. */
function unsigned({ provider, stranger, bare, event, at }: Making, delivery: Delivery): Delivery | undefined {
  return withoutSignature({ provider, stranger, delivery, at }) ?? bare?.sign(event, at)
}

/** As a `Request`. */
export function toRequest({ method, url, headers, body }: Delivery): Request {
  const pairs = [...headers].flatMap(([name, values]) => values.map((value): [string, string] => [name, value]))
  return new Request(url, { method, headers: pairs, ...(method !== 'GET' && { body: Buffer.from(body) }) })
}

function firstEventOf({ provider, first }: Making): IdentifiedEvent | undefined {
  const identified = provider.identify(first)
  return 'kind' in identified ? undefined : identified[0]
}

function plainHeaders({ headers }: Delivery): Record<string, string> {
  return Object.fromEntries([...headers].map(([name, values]) => [name, values.join(', ')]))
}

function cannotDamage(provider: string, damage: 'tampered' | 'unsigned'): OncehookError {
  const what = damage === 'tampered' ? 'changed so that it is refused' : 'sent without its signature'
  return new OncehookError(
    'ONCEHOOK_CANNOT_SIGN',
    `A delivery of ${provider} cannot be ${what}: its proof is not in a header, or it has none.`,
  )
}
