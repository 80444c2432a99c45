import { describe, expect } from 'vitest'
import { loadProvider, providerNames } from '../../src/cli/provider-catalogue.ts'
import type { Delivery } from '../../src/delivery/delivery.ts'
import { createInbox, type Provider } from '../../src/index.ts'
import { hmac } from '../../src/providers/hmac.ts'
import { token } from '../../src/providers/token.ts'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { generateKeys, type ProviderKeys, sharedKeyPairs } from '../../src/testing/provider-keys.ts'
import { loadSamples } from '../../src/testing/samples/index.ts'
import { type TestDatabase, test } from '../support/database.ts'
import { everyRow } from './private-inbox.ts'

const at = new Date()
const [pairs, otherPairs] = [sharedKeyPairs(), sharedKeyPairs()]

/** Its document is itself the signature, which anybody can check and nobody can use for another document. */
const signedAsAWhole = 'apple-app-store-v2'

/** Headers that are new at every signing, and prove nothing. */
const ids = [
  'box-delivery-id',
  'i-twilio-idempotency-token',
  'linear-delivery',
  'paypal-transmission-id',
  'request-id',
  'webhook-id',
  'x-delivery-id',
  'x-gitlab-event-uuid',
  'x-gitlab-webhook-uuid',
  'x-shopify-event-id',
  'x-wc-webhook-delivery-id',
  'x-webhook-id',
  'x-zendesk-webhook-invocation-id',
]

describe('what is stored of a delivery', () => {
  test('holds neither secret nor signature nor token, of any provider', async ({ database }) => {
    const sent = await Promise.all(providerNames.map(sentBy))

    const rows = await storedRows(database, sent)

    expect(sent.filter(({ proofs }) => proofs.length === 0).map(({ name }) => name)).toEqual([signedAsAWhole])
    expect(leaksOf(sent, rows)).toEqual([])
  })

  test('holds none of the generic senders either, whatever their headers are called', async ({ database }) => {
    const secret = 'the shared secret of a sender'
    const id = { header: 'x-id' } as const
    const sources = {
      plain: hmac({ secret, header: 'X-Plain', id }),
      word: token({ secret, header: 'x-word', id }),
      address: token({ secret, query: 'k', id }),
    }
    const sent = Object.entries(sources).map(([name, provider]) => {
      const delivery = provider.sign({ headers: { 'x-id': '1' } }, at)
      return { name, provider, delivery, proofs: [secret, delivery.headers.get('x-plain')?.[0] ?? secret] }
    })

    expect(leaksOf(sent, await storedRows(database, sent))).toEqual([])
  })

  test('would be found if it did', async ({ database }) => {
    const sent = await Promise.all(['adyen', 'figma', 'trello'].map(sentBy))
    const careless = sent.map((one) => ({ ...one, provider: { ...one.provider, proof: { headers: [], paths: [] } } }))

    expect(leaksOf(careless, await storedRows(database, careless))).toEqual(['adyen', 'figma', 'trello'])
  })
})

type Sent = {
  readonly name: string
  readonly provider: Provider
  readonly delivery: Delivery
  /** What must be found nowhere. */
  readonly proofs: readonly string[]
}

/** A sample that is signed with two sets of keys: where the two deliveries differ, there is the proof. */
async function sentBy(name: string): Promise<Sent> {
  const make = await loadProvider(name)
  if (make === undefined) throw new Error(`There is no ${name}.`)
  const sample = (await loadSamples(name)).make({ at, seed: name })
  const keys = generateKeys(name, make, at, { pairs })
  const provider = make(keys)
  const delivery = provider.sign(sample, at)
  const others = new Set(textsOf(make(generateKeys(name, make, at, { pairs: otherPairs })).sign(sample, at)))
  const proofs = textsOf(delivery).filter((text) => !others.has(text))
  return { name, provider, delivery, proofs: name === signedAsAWhole ? [] : [...proofs, ...secretsOf(keys)] }
}

function secretsOf({ secret, privateKey }: ProviderKeys): readonly string[] {
  return [secret, privateKey].filter((text) => text !== undefined)
}

/** All that a delivery says, piece by piece: what is in headers, in the query and in the body. */
function textsOf({ headers, url, body }: Delivery): readonly string[] {
  const values = [...headers].flatMap(([name, sent]) => (ids.includes(name) ? [] : sent))
  const query = [...new URL(url).searchParams.values()]
  return [...values, ...values.flatMap((value) => value.split(/[\s,;=]+/)), ...query, ...leavesOf(body)].filter(
    ({ length }) => length >= 16,
  )
}

function leavesOf(body: Uint8Array): readonly string[] {
  const text = Buffer.from(body).toString('utf8')
  try {
    const leaves: string[] = []
    JSON.parse(text, (_, value: unknown) => void (typeof value === 'string' && leaves.push(value)))
    return leaves
  } catch {
    return [...new URLSearchParams(text).values()].flatMap((value) => [value, ...value.split(/[|&]/)])
  }
}

async function storedRows(database: TestDatabase, sent: readonly Sent[]): Promise<string> {
  const { pool, schema, query } = database
  const inbox = createInbox({
    store: postgresStore(pool, { schema }),
    sources: Object.fromEntries(sent.map(({ name, provider }) => [name, provider])),
    logger: { info: () => {}, warn: () => {}, error: () => {} },
  })
  for (const { name, delivery } of sent) await inbox.receive(name, delivery)
  const sources = await query<{ source: string }>(`select distinct source from "${schema}".receipts order by 1`)
  expect(sources.map(({ source }) => source)).toEqual(sent.map(({ name }) => name).toSorted())
  return everyRow(database)
}

function leaksOf(sent: readonly Sent[], rows: string): readonly string[] {
  return sent
    .filter(({ proofs }) => proofs.some((proof) => rows.includes(proof) || rows.includes(hexadecimal(proof))))
    .map(({ name }) => name)
}

function hexadecimal(text: string): string {
  return Buffer.from(text).toString('hex')
}
