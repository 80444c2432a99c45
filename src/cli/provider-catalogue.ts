import type { Provider, ProviderOptions } from '../index.ts'
import type { MakeProvider } from '../testing/provider-keys.ts'
import { loadSamples } from '../testing/samples/index.ts'
import { providerModules } from './provider-modules.ts'

export const providerNames: readonly string[] = Object.keys(providerModules)

/** The provider of that name, or undefined if there is none. What it needs besides keys, it has from its samples. */
export async function loadProvider(name: string): Promise<MakeProvider | undefined> {
  const load = Object.hasOwn(providerModules, name) ? providerModules[name] : undefined
  if (load === undefined) return undefined
  const [create, { settings }] = await Promise.all([load(), loadSamples(name)])
  const make = create as (options: ProviderOptions) => Provider
  return (keys) => make({ ...settings, ...keys })
}

let catalogue: Promise<readonly Provider[]> | undefined

/** All of them, to recognise what they send. None of them believes anything: they have no secrets. */
export function wholeCatalogue(): Promise<readonly Provider[]> {
  catalogue ??= Promise.all(providerNames.map(loadProvider)).then((all) =>
    all.flatMap((make) => (make === undefined ? [] : [make({ unverified: true } as never)])),
  )
  return catalogue
}
