import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { type Home, readJsonFile } from '../home.ts'
import { providerNames } from '../provider-catalogue.ts'

/** A variable that looks like a secret. Its value is compared, and never shown. */
export type FoundSecret = {
  readonly variable: string
  /** Where it was found: `the environment`, or the name of a file. */
  readonly place: string
  /** Which stage the place is for, as far as it says so. */
  readonly stage: string | undefined
  /** The provider that its name begins with. */
  readonly provider: string | undefined
  /** Of a webhook, and not of an API. */
  readonly isForWebhooks: boolean
  /** Made by `oncehook start` on this machine, for trying things. */
  readonly isDemo: boolean
  readonly value: string
}

type Variables = Readonly<Record<string, string | undefined>>

type Place = { readonly place: string; readonly stage: string | undefined; readonly variables: Variables }

/** Secrets of this process's environment and of the `.env` files of the directory. */
export async function findSecrets(from: {
  readonly environment: Variables
  /** The name of the inbox's environment. */
  readonly stage: string
  readonly directory: string
  readonly home: Home
}): Promise<readonly FoundSecret[]> {
  const { environment, directory, home } = from
  const own: Place = {
    place: 'the environment',
    stage: stageOf(from.stage) ?? stageOf(environment['NODE_ENV'] ?? ''),
    variables: environment,
  }
  const places = [own, ...(await envFiles(directory))]
  const demo = demoSecrets((await readJsonFile(home.secrets)) ?? {})
  return places.flatMap(({ place, stage, variables }) =>
    Object.entries(variables).flatMap(([variable, value = '']) => {
      if (value === '' || !isSecretName(variable)) return []
      const isForWebhooks = /WEBHOOK|SIGNING|HOOK_SECRET/i.test(variable)
      const provider = providerOf(variable)
      return [{ variable, place, stage, provider, isForWebhooks, isDemo: demo.has(value), value }]
    }),
  )
}

/** The word that people use for a stage, whatever they call it. Undefined for `default` and the like. */
function stageOf(name: string): string | undefined {
  if (/^(?:prod|production|live)$/i.test(name)) return 'production'
  if (/^(?:stage|staging|preview|preprod|uat|qa)$/i.test(name)) return 'staging'
  if (/^(?:test|testing|ci)$/i.test(name)) return 'test'
  return /^(?:dev|development)$/i.test(name) ? 'development' : undefined
}

/** `.env`, `.env.production`, `.env.local`, … but not those that only show what is to be filled in. */
async function envFiles(directory: string): Promise<readonly Place[]> {
  const names = await readdir(directory).catch(() => [])
  const files = names.filter((name) => /^\.env(?:\..+)?$/.test(name) && !/example|sample|template|dist/.test(name))
  return Promise.all(
    files.toSorted().map(async (place) => {
      const text = await readFile(join(directory, place), 'utf8').catch(() => '')
      const stage = place.split('.').flatMap((part) => stageOf(part) ?? [])[0]
      return { place, stage, variables: parseEnv(text) }
    }),
  )
}

function isSecretName(variable: string): boolean {
  return /SECRET|TOKEN|_KEY\b|_KEY_|SIGNING/i.test(variable) && !/PUBLIC|PUBLISHABLE/i.test(variable)
}

function providerOf(variable: string): string | undefined {
  const name = variable.toUpperCase()
  return providerNames
    .filter((provider) => name.startsWith(`${provider.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}_`))
    .toSorted((one, other) => other.length - one.length)[0]
}

function demoSecrets(kept: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  const values = Object.values(kept).flatMap((keys) =>
    typeof keys === 'object' && keys !== null ? Object.values(keys) : [],
  )
  return new Set(values.filter((value): value is string => typeof value === 'string'))
}
