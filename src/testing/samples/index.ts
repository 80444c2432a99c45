import { createHash, randomBytes } from 'node:crypto'
import { invalidOptions } from '../../errors.ts'
import type { EventToSign } from '../../index.ts'
import type { SampleModule } from './sample.ts'
import { sampleModules } from './sample-modules.ts'

/** Which sample to make. */
export type SampleRequest = {
  /** Default: the provider's first. */
  readonly type?: string
  /** Default: a new one. */
  readonly id?: string
  readonly at: Date
  /** The same seed gives the same event; without it every event is new. */
  readonly seed?: string | number
  /** Events with the same name here are about the same thing, whatever their types. Wins over `seed`; their ids have to be given. */
  readonly object?: string
}

/** The samples of one provider, ready to be made. */
export type SampleSet = {
  readonly provider: string
  readonly types: readonly string[]
  /** Options that the provider needs besides its keys. */
  readonly settings: Readonly<Record<string, unknown>>
  /** A realistic event, ready for the provider's `sign`. */
  readonly make: (request: SampleRequest) => EventToSign
}

/** The providers that have samples. */
export const sampleProviders: readonly string[] = Object.keys(sampleModules)

/** The samples of a provider. Rejects for one that has none. */
export async function loadSamples(provider: string): Promise<SampleSet> {
  const load = Object.hasOwn(sampleModules, provider) ? sampleModules[provider] : undefined
  if (load === undefined) {
    const known = `Known are: ${sampleProviders.join(', ')}.`
    throw invalidOptions('The sample', [`There are no samples of "${provider}". ${known}`])
  }
  return sampleSet(provider, await load())
}

/** The samples of a file that is loaded already. */
export function sampleSet(provider: string, { samples, settings = {} }: SampleModule): SampleSet {
  const types = Object.keys(samples)
  return {
    provider,
    types,
    settings,
    make({ type = types[0] ?? '', id, at, seed, object }) {
      const sample = types.includes(type) ? samples[type] : undefined
      if (sample === undefined) {
        const known = `Known are: ${types.join(', ')}.`
        throw invalidOptions('The sample', [`There is no sample "${type}" of ${provider}. ${known}`])
      }
      const unique =
        object === undefined ? uniqueDigits(provider, type, seed) : uniqueDigits(provider, 'object', object)
      return sample({ id, at, unique })
    },
  }
}

function uniqueDigits(provider: string, type: string, seed: string | number | undefined): string {
  if (seed === undefined) return randomBytes(12).toString('hex')
  return createHash('sha256').update(`${provider} ${type} ${seed}`).digest('hex').slice(0, 24)
}
