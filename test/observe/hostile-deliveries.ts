import { loadProvider, providerNames } from '../../src/cli/provider-catalogue.ts'
import { storedHeaders } from '../../src/delivery/stored-headers.ts'
import type { Delivery, EventToSign, Provider } from '../../src/index.ts'
import { generateKeys, type KeyPairs, sharedKeyPairs } from '../../src/testing/provider-keys.ts'
import { loadSamples } from '../../src/testing/samples/index.ts'

/** A provider with deliveries of every kind, and the texts in them that must not show. */
export type HostileSource = {
  readonly name: string
  readonly provider: Provider
  readonly deliveries: Readonly<Record<'valid' | 'mutated' | 'forged' | 'malformed', readonly Delivery[]>>
  readonly secretTexts: readonly string[]
  readonly signatureTexts: readonly string[]
  readonly payloadTexts: readonly string[]
}

const at = new Date()

/** What a test puts into bodies, in a place where no id is. */
const marker = 'payload-marker-0123456789'

/** Every provider of the catalogue. */
export async function everySource(): Promise<readonly HostileSource[]> {
  const ours = sharedKeyPairs()
  const strangers = sharedKeyPairs()
  return Promise.all(providerNames.map((name) => hostileSource(name, ours, strangers)))
}

async function hostileSource(name: string, ours: KeyPairs, strangers: KeyPairs): Promise<HostileSource> {
  const make = await loadProvider(name)
  if (make === undefined) throw new Error(`There is no provider ${name}.`)
  const samples = await loadSamples(name)
  const keys = generateKeys(name, make, at, { pairs: ours })
  const otherKeys = generateKeys(name, make, at, { pairs: strangers })
  const provider = make(keys)
  const event = samples.make({ at, seed: 1 })
  const valid = provider.sign(event, at)
  const deliveries = {
    valid: [valid],
    mutated: attempts([() => provider.sign(withMarker(event), at)]),
    forged: attempts([() => make(otherKeys).sign(withMarker(event), at), () => withoutProof(valid)]),
    malformed: attempts([
      () => provider.sign({ ...event, body: `{"broken":"${marker}` }, at),
      () => provider.sign({ ...event, body: `${marker}=1&<${marker}/>` }, at),
      () => ({ ...valid, body: Buffer.from(`{"broken":"${marker}`) }),
    ]),
  }
  const all = Object.values(deliveries).flat()
  return {
    name,
    provider,
    deliveries,
    secretTexts: [keys.secret, keys.privateKey].flatMap((text) => text ?? []),
    signatureTexts: all.flatMap(signaturesIn),
    payloadTexts: [marker, ...payloadTextsIn(provider, valid)],
  }
}

function attempts(makers: readonly (() => Delivery)[]): readonly Delivery[] {
  return makers.flatMap((make) => {
    try {
      return [make()]
    } catch {
      // Some write their signature into the body, and cannot sign just any.
      return []
    }
  })
}

function withMarker(event: EventToSign): EventToSign {
  const { payload } = event
  return typeof payload === 'object' && payload !== null && !Array.isArray(payload)
    ? { ...event, payload: { ...payload, oncehook_marker: marker } }
    : event
}

function withoutProof(delivery: Delivery): Delivery {
  return { ...delivery, url: 'https://example.com/', headers: new Map(storedAsMap(delivery)) }
}

function storedAsMap({ headers }: Delivery): readonly (readonly [string, readonly string[]])[] {
  return storedHeaders(headers).map(([name, value]) => [name, [value]])
}

/** Values of headers that are not kept because they prove something, and of the query. */
function signaturesIn({ headers, url }: Delivery): readonly string[] {
  const kept = new Set(storedHeaders(headers).map(([name]) => name))
  const transfer = new Set(['content-length', 'content-encoding'])
  const dropped = [...headers]
    .filter(([name]) => !kept.has(name) && !transfer.has(name))
    .flatMap(([, values]) => values)
  const parts = dropped.flatMap((value) => [value, ...value.split(/[\s,;=.]+/)])
  return [...parts, ...new URL(url).searchParams.values()].filter((text) => text.length >= 16)
}

/** Longer texts of the body that are no part of what identifies the event. */
function payloadTextsIn(provider: Provider, delivery: Delivery): readonly string[] {
  const events = provider.identify(delivery)
  const identity = 'kind' in events ? '' : JSON.stringify(events)
  const body = Buffer.from(delivery.body).toString('utf8')
  const texts = body.match(/[\w@./:+-]{14,}/g) ?? []
  const isTelling = (text: string): boolean => /[a-z]{3}/i.test(text) && !text.includes(provider.name)
  return texts.filter((text) => isTelling(text) && !identity.includes(text) && !isEventIn(identity, text))
}

/** A piece that holds an id whole, as `id=…` in a form does. */
function isEventIn(identity: string, text: string): boolean {
  return text.split(/[=&:/]/).some((part) => part.length >= 8 && identity.includes(part))
}
