import type { Provider } from '../index.ts'
import { generateKeys, type MakeProvider, type ProviderKeys, sharedKeyPairs } from '../testing/provider-keys.ts'
import { failed, sentenceOf, wrongUsage } from './failure.ts'
import { type Home, prepareHome, readJsonFile, writePrivately } from './home.ts'
import { loadProvider, providerNames } from './provider-catalogue.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** A provider that is ready, and where its secret is from. */
export type Source = { readonly name: string; readonly provider: Provider; readonly secretFrom: string }

/** Every provider or those that are named, with the secret from the environment or, without one, a demo secret that is made once and kept. */
export async function prepareSources(
  home: Home,
  environment: Environment,
  names: readonly string[] = [],
): Promise<readonly Source[]> {
  const kept = (await readJsonFile(home.secrets)) ?? {}
  const keysByName: Record<string, unknown> = { ...kept }
  const pairs = sharedKeyPairs()
  const sources: Source[] = []
  for (const name of names.length === 0 ? providerNames : new Set(names)) {
    const make = await providerNamed(name)
    const own = fromEnvironment(name, make, environment)
    if (own === undefined) keysByName[name] ??= generateKeys(name, make, new Date(), { pairs })
    const provider = own ?? fromFile(home, { name, make, keys: keysByName[name] })
    sources.push({ name, provider, secretFrom: own === undefined ? home.secrets : variableOf(name) })
  }
  const isNew = Object.keys(keysByName).length > Object.keys(kept).length
  if (isNew) {
    await prepareHome(home)
    await writePrivately(home.secrets, keysByName)
  }
  return sources
}

/** One provider for sending: with the secret that was given, or else the one that a receiver here would use. */
export async function senderFor(
  name: string,
  from: { readonly secret: string | undefined; readonly home: Home; readonly environment: Environment },
): Promise<Provider> {
  const { secret, home, environment } = from
  const make = await providerNamed(name)
  if (secret !== undefined) return withSecret(make, secret, '--secret')
  const own = fromEnvironment(name, make, environment)
  if (own !== undefined) return own
  const keys = (await readJsonFile(home.secrets))?.[name]
  if (keys !== undefined) return fromFile(home, { name, make, keys })
  throw failed(
    `There is no secret to sign ${name} events with: run "start" in this directory once, ` +
      `set ${variableOf(name)}, or give --secret.`,
  )
}

/** A sender that the receiver does not know. */
export async function strangerFor(name: string): Promise<Provider> {
  const make = await providerNamed(name)
  return make(generateKeys(name, make, new Date()))
}

/** The environment variable that holds the secret of a provider. */
export function variableOf(name: string): string {
  return `${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}_WEBHOOK_SECRET`
}

/** Refuses a name that is of no provider. */
export function demandProviders(names: readonly string[]): void {
  const stranger = names.find((name) => !providerNames.includes(name))
  if (stranger !== undefined) throw unknownProvider(stranger)
}

async function providerNamed(name: string): Promise<MakeProvider> {
  const make = await loadProvider(name)
  if (make === undefined) throw unknownProvider(name)
  return make
}

function unknownProvider(name: string): Error {
  return wrongUsage(`There is no provider ${JSON.stringify(name)}. There are: ${providerNames.join(', ')}.`)
}

function fromEnvironment(name: string, make: MakeProvider, environment: Environment): Provider | undefined {
  const variable = variableOf(name)
  const value = environment[variable]
  return value === undefined || value === '' ? undefined : withSecret(make, value, variable)
}

/** Where a provider has no secrets, what was given is its public key. */
function withSecret(make: MakeProvider, secret: string, where: string): Provider {
  try {
    return make({ secret })
  } catch (error) {
    try {
      return make({ publicKey: secret })
    } catch {
      throw failed(`The secret in ${where} cannot be used. ${sentenceOf(error)}`, error)
    }
  }
}

function fromFile(
  home: Home,
  { name, make, keys }: { readonly name: string; readonly make: MakeProvider; readonly keys: unknown },
): Provider {
  try {
    return make(keys as ProviderKeys)
  } catch (error) {
    throw failed(
      `The entry ${name} of ${home.secrets} cannot be used: delete it to have it made anew. ${sentenceOf(error)}`,
      error,
    )
  }
}
