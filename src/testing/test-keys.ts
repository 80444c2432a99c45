import { createHash } from 'node:crypto'
import type { Provider, ProviderOptions } from '../index.ts'
import { providerList } from './catalogue/provider-list.ts'
import type { ProviderFunction, ProviderName } from './catalogue/provider-name.ts'
import { sampleList } from './catalogue/sample-list.ts'
import { generateKeys, type MakeProvider, type ProviderKeys, sharedKeyPairs } from './provider-keys.ts'

/** Key pairs take a while to make, so all providers of this process share one of each kind, and forgers another. */
const ownPairs = sharedKeyPairs()
const strangePairs = sharedKeyPairs()
const kept = new Map<ProviderName, ProviderKeys>()

/**
 * The keys that deliveries of a test are signed with, ready for the provider's options: `stripe(testKeys('stripe'))`. A secret is the same
 * in every process, so that it can be put into the environment of a server; a pair of keys is new in each.
 */
export function testKeys(name: ProviderName): ProviderKeys {
  const known = kept.get(name)
  if (known !== undefined) return known
  const keys = keysFor(name, makerOf(name))
  kept.set(name, keys)
  return keys
}

/** The provider with keys, and with whatever else it does not start without. */
export function makerOf(name: ProviderName): MakeProvider {
  const make = providerList[name] as (options: ProviderOptions) => Provider
  const { settings = {} } = sampleList[name]
  return (keys) => make({ ...settings, ...keys })
}

/** The name of a provider's function; undefined for one that is not of the catalogue. */
export function nameOfFunction(create: ProviderFunction): ProviderName | undefined {
  return (Object.keys(providerList) as ProviderName[]).find((name) => providerList[name] === create)
}

/** Keys of the kind that the provider takes; those of its forger are others. */
export function keysFor(name: string, make: MakeProvider, whose: 'own' | 'forger' = 'own'): ProviderKeys {
  const bytes = (length: number): Buffer =>
    createHash('sha512').update(`oncehook test ${whose} ${name}`).digest().subarray(0, length)
  return generateKeys(name, make, new Date(), { bytes, pairs: whose === 'own' ? ownPairs : strangePairs })
}
