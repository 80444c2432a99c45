import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { providerModules } from '../../src/cli/provider-modules.ts'
import { type Delivery, toDelivery } from '../../src/delivery/delivery.ts'
import { loadSamples } from '../../src/testing/samples/index.ts'
import { withField } from '../../src/verify/field-place.ts'
import type { Incoming } from '../../src/verify/incoming.ts'
import { isObject } from '../../src/verify/object.ts'
import type { Provider } from '../../src/verify/provider.ts'
import type { ProviderOptions } from '../../src/verify/provider-options.ts'

/** The providers that say which members they read, with those. A list of texts, so that it can be read from the source. */
const declared = Object.keys(providerModules).flatMap((name) => {
  const source = readFileSync(new URL(`../../src/providers/${name}.ts`, import.meta.url), 'utf8')
  const list = /^ +reads: \[([^\]]*)\]/m.exec(source)?.[1]
  return list === undefined ? [] : [{ name, reads: Array.from(list.matchAll(/'([^']+)'/g), ([, path = '']) => path) }]
})

test('most providers with an object as their document say what they read of it', () => {
  expect(declared.length).toBeGreaterThanOrEqual(50)
})

describe.each(declared)('the members that $name reads', async ({ name, reads }) => {
  const create = (await providerModules[name]?.()) as (options: ProviderOptions) => Provider
  const { types, make, settings } = await loadSamples(name)
  const options = { unverified: true, ...settings } as ProviderOptions
  const at = new Date('2026-11-15T12:00:00.000Z')
  const samples = types.map((type) => create(options).sign(make({ type, at, seed: 1 }), at))
  const deliveries = [...samples, ...vectorsOf(name)].flatMap((delivery) => withSome(delivery, reads))

  test('are enough to find the same events as in the whole document', () => {
    // An identity that says nothing leaves it to the declaration, which then gets the whole.
    const whole = create({ ...options, identity: () => ({}) })

    for (const delivery of deliveries) {
      const [sparsely, wholly] = [create(options).identify(delivery), whole.identify(delivery)]
      expect(eventsOf(sparsely)).toEqual(eventsOf(wholly))
    }
  })

  test('are all that it asks for, and it asks for each', () => {
    const asked = new Set<string>()
    const identity = (incoming: Incoming) => {
      Object.defineProperty(incoming, 'document', { value: recording(incoming.document, asked) })
      return {}
    }

    for (const delivery of deliveries) create({ ...options, identity }).identify(delivery)

    const isOnTheWay = (path: string) => reads.some((read) => read.startsWith(`${path}.`))
    const isBelow = (path: string) => reads.some((read) => path.startsWith(`${read}.`))
    const paths = [...asked].filter((path) => !isOnTheWay(path) && !isBelow(path))
    expect(paths.toSorted()).toEqual(reads.toSorted())
  })
})

/** The detail of a refusal names where the id is, which differs with an identity of the user's own. */
function eventsOf(events: ReturnType<Provider['identify']>): unknown {
  return 'kind' in events ? events.kind : events
}

/** The requests of the provider's own library or documents. */
function vectorsOf(name: string): readonly Delivery[] {
  const folder = new URL('../vectors/', import.meta.url)
  if (!readdirSync(folder).includes(`${name}.json`)) return []
  const vectors = JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as readonly {
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
  }[]
  return vectors.map(({ url, headers, body }) => toDelivery({ url, headers, body }))
}

/** The delivery, and others that lack any one of the members or have no other: what stands in for a member is read too. */
function withSome(delivery: Delivery, paths: readonly string[]): readonly Delivery[] {
  const text = Buffer.from(delivery.body).toString('utf8')
  if (!text.startsWith('{')) return [delivery]
  const without = paths.map((path) => {
    const document: unknown = JSON.parse(text)
    const names = path.split('.')
    const owner = names
      .slice(0, -1)
      .reduce((value: unknown, name) => (isObject(value) ? value[name] : undefined), document)
    if (isObject(owner)) delete (owner as Record<string, unknown>)[names.at(-1) ?? '']
    return JSON.stringify(document)
  })
  const alone = paths.map((path) => JSON.stringify(withField({}, path, 'x')))
  return [delivery, ...[...without, ...alone].map((body) => ({ ...delivery, body: Buffer.from(body) }))]
}

/** A document that notes the path of every member that somebody asks for. */
function recording(value: unknown, asked: Set<string>, path = ''): unknown {
  if (typeof value !== 'object' || value === null) return value
  const pathOf = (name: string | symbol) => (path === '' ? String(name) : `${path}.${String(name)}`)
  return new Proxy(value, {
    get: (target, name) => recording(Reflect.get(target, name), asked, pathOf(name)),
    getOwnPropertyDescriptor: (target, name) => {
      asked.add(pathOf(name))
      return Reflect.getOwnPropertyDescriptor(target, name)
    },
    has: (target, name) => {
      asked.add(pathOf(name))
      return Reflect.has(target, name)
    },
    ownKeys: (target) => {
      asked.add(pathOf('*'))
      return Reflect.ownKeys(target)
    },
  })
}
